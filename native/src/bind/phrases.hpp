// The Python face of phrase extraction, look-up and segmentation.
#pragma once

#include <nanobind/nanobind.h>

void bind_phrases(nanobind::module_& m);
