// The Python face of links between words of one language.
#pragma once

#include <nanobind/nanobind.h>

void bind_links(nanobind::module_& m);
