#pragma once

#include <nanobind/nanobind.h>

void bind_judges(nanobind::module_& m);
