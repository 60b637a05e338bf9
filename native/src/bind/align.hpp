// The Python face of the word aligner.
#pragma once

#include <nanobind/nanobind.h>

void bind_align(nanobind::module_& m);
