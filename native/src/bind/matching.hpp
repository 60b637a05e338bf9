// The Python face of matching: links between words, and optimal assignments.
#pragma once

#include <nanobind/nanobind.h>

void bind_matching(nanobind::module_& m);
