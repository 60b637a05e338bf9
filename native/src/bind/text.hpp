// Python strings as the native core sees them.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <string_view>

namespace paragauge {

// The UTF-8 bytes of a str, which lie where it does; throws what Python does for half a surrogate pair.
inline std::string_view text_of(nanobind::handle object) {
  if (!PyUnicode_Check(object.ptr())) throw nanobind::type_error("expected str");
  Py_ssize_t size = 0;
  const char* data = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (data == nullptr) throw nanobind::python_error();
  return {data, static_cast<std::size_t>(size)};
}

}  // namespace paragauge
