// Bags of pivot n-grams and support vector regression for Python.
#pragma once

#include <nanobind/nanobind.h>

void bind_pem(nanobind::module_& m);
