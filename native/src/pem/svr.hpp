// Support vector regression with an RBF kernel: prediction.
#pragma once

#include <cstdint>

namespace paragauge {

struct RbfRegressor {
  const double* vectors;       // count rows of `features` numbers
  const double* coefficients;  // one for each vector
  std::int64_t count, features;
  double gamma, intercept;
};

// f(x) = intercept + sum over vectors v of coefficient(v) * exp(-gamma * |x - v|^2), for each row of x. Every row is summed
// in the same order, so that neither its neighbours nor the number of threads can change a digit.
void rbf_predict(const RbfRegressor& regressor, const double* rows, std::int64_t count, int threads, double* values);

}  // namespace paragauge
