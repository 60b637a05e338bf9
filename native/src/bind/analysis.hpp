#pragma once

#include <nanobind/nanobind.h>

void bind_analysis(nanobind::module_& m);
