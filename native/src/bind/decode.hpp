#pragma once

#include <nanobind/nanobind.h>

void bind_decode(nanobind::module_& m);
