// The smallest test kit that can fail: CHECK reports the place and stops the program.
#pragma once

#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                             \
  do {                                                                               \
    if (!(condition)) {                                                              \
      std::fprintf(stderr, "%s:%d: CHECK(%s) failed\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                                  \
    }                                                                                \
  } while (false)

#define CHECK_THROWS(expression, exception) \
  do {                                      \
    bool thrown = false;                    \
    try {                                   \
      expression;                           \
    } catch (const exception&) {            \
      thrown = true;                        \
    }                                       \
    CHECK(thrown);                          \
  } while (false)
