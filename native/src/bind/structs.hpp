// Structs that Python builds by name. They are frozen: nothing can be read or changed once they are made.
#pragma once

#include <nanobind/nanobind.h>

#include <new>
#include <utility>

namespace paragauge {

template <class Struct, class Type>
struct Field {
  const char* name;
  Type Struct::*member;
};

template <class Struct, class Type>
Field<Struct, Type> field(const char* name, Type Struct::*member) {
  return {name, member};
}

// A class whose constructor takes every field by keyword. `check` throws what Python is to see.
template <class Struct, class Check, class... Types>
void bind_checked_struct(nanobind::module_& m, const char* name, const char* doc, Check check,
                         Field<Struct, Types>... fields) {
  nanobind::class_<Struct>(m, name, doc)
      .def(
          "__init__",
          [check, fields...](Struct* self, Types... values) {
            Struct made{};
            ((made.*fields.member = std::move(values)), ...);
            check(made);
            new (self) Struct(std::move(made));
          },
          nanobind::kw_only(), nanobind::arg(fields.name)...);
}

template <class Struct, class... Types>
void bind_struct(nanobind::module_& m, const char* name, const char* doc, Field<Struct, Types>... fields) {
  bind_checked_struct(m, name, doc, [](const Struct&) {}, fields...);
}

}  // namespace paragauge
