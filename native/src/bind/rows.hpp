#pragma once

#include <nanobind/nanobind.h>

void bind_rows(nanobind::module_& m);
