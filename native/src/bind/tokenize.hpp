#pragma once

#include <nanobind/nanobind.h>

void bind_tokenize(nanobind::module_& m);
