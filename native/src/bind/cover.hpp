// The Python face of phrase covers.
#pragma once

#include <nanobind/nanobind.h>

void bind_cover(nanobind::module_& m);
