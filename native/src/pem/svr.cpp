#include "pem/svr.hpp"

#include <cmath>

#include "base/parallel.hpp"

namespace paragauge {

void rbf_predict(const RbfRegressor& regressor, const double* rows, std::int64_t count, int threads, double* values) {
  parallel_blocks(count, 16, threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t row = begin; row < end; ++row) {
      const double* x = rows + row * regressor.features;
      double sum = regressor.intercept;
      for (std::int64_t v = 0; v < regressor.count; ++v) {
        const double* vector = regressor.vectors + v * regressor.features;
        double distance = 0.0;
        for (std::int64_t k = 0; k < regressor.features; ++k) distance += (x[k] - vector[k]) * (x[k] - vector[k]);
        sum += regressor.coefficients[v] * std::exp(-regressor.gamma * distance);
      }
      values[row] = sum;
    }
  });
}

}  // namespace paragauge
