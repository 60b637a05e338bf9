// The Python face of the lexicon.
#pragma once

#include <nanobind/nanobind.h>

void bind_lexicon(nanobind::module_& m);
