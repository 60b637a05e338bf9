// The Python face of rule extraction, grammar indexes and synchronous parsing.
#pragma once

#include <nanobind/nanobind.h>

void bind_grammar(nanobind::module_& m);
