#pragma once

#include <nanobind/nanobind.h>

void bind_lm(nanobind::module_& m);
