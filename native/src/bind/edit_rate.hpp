// The Python face of the edit rate.
#pragma once

#include <nanobind/nanobind.h>

void bind_edit_rate(nanobind::module_& m);
