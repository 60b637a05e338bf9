#include "matching/assignment.hpp"

#include <limits>
#include <numeric>

namespace paragauge {

namespace {

// Kuhn and Munkres with potentials (Jonker and Volgenant's order of work): each row in turn finds the cheapest way to
// a free column. `cost` has `rows` <= `columns`; row_of_column[0] is not used, and numbers count from 1.
void hungarian(const std::vector<double>& cost, std::size_t rows, std::size_t columns, std::vector<std::size_t>& row_of_column) {
  std::vector<double> u(rows + 1, 0), v(columns + 1, 0), slack(columns + 1);
  std::vector<std::size_t> way(columns + 1);
  std::vector<char> seen(columns + 1);
  row_of_column.assign(columns + 1, 0);
  for (std::size_t row = 1; row <= rows; ++row) {
    row_of_column[0] = row;
    std::size_t column = 0;
    slack.assign(columns + 1, std::numeric_limits<double>::infinity());
    seen.assign(columns + 1, 0);
    do {
      seen[column] = 1;
      const std::size_t current = row_of_column[column];
      const double* costs = cost.data() + (current - 1) * columns;
      double delta = std::numeric_limits<double>::infinity();
      std::size_t next = 0;
      for (std::size_t c = 1; c <= columns; ++c) {
        if (seen[c]) continue;
        const double reduced = costs[c - 1] - u[current] - v[c];
        if (reduced < slack[c]) {
          slack[c] = reduced;
          way[c] = column;
        }
        if (slack[c] < delta) {
          delta = slack[c];
          next = c;
        }
      }
      for (std::size_t c = 0; c <= columns; ++c) {
        if (seen[c]) {
          u[row_of_column[c]] += delta;
          v[c] -= delta;
        } else {
          slack[c] -= delta;
        }
      }
      column = next;
    } while (row_of_column[column] != 0);
    do {
      const std::size_t previous = way[column];
      row_of_column[column] = row_of_column[previous];
      column = previous;
    } while (column != 0);
  }
}

}  // namespace

double best_assignment(std::int32_t rows, std::int32_t columns, const std::vector<Edge>& edges,
                       std::vector<std::int32_t>& column_of_row) {
  column_of_row.assign(static_cast<std::size_t>(rows), -1);
  std::vector<std::int32_t> parent(static_cast<std::size_t>(rows + columns));
  std::iota(parent.begin(), parent.end(), 0);
  const auto find = [&](std::int32_t node) {
    while (parent[static_cast<std::size_t>(node)] != node) {
      auto& up = parent[static_cast<std::size_t>(node)];
      node = up = parent[static_cast<std::size_t>(up)];
    }
    return node;
  };
  for (const Edge& edge : edges) parent[static_cast<std::size_t>(find(rows + edge.column))] = find(edge.row);
  // Number the nodes of each piece, and sort the edges by piece.
  struct Piece {
    std::vector<std::int32_t> rows, columns;
    std::vector<const Edge*> edges;
  };
  std::vector<Piece> pieces;
  std::vector<std::int32_t> piece_of(parent.size(), -1), place(parent.size(), -1);
  for (const Edge& edge : edges) {
    auto& number = piece_of[static_cast<std::size_t>(find(edge.row))];
    if (number < 0) {
      number = static_cast<std::int32_t>(pieces.size());
      pieces.emplace_back();
    }
    Piece& piece = pieces[static_cast<std::size_t>(number)];
    auto& row = place[static_cast<std::size_t>(edge.row)];
    if (row < 0) {
      row = static_cast<std::int32_t>(piece.rows.size());
      piece.rows.push_back(edge.row);
    }
    auto& column = place[static_cast<std::size_t>(rows + edge.column)];
    if (column < 0) {
      column = static_cast<std::int32_t>(piece.columns.size());
      piece.columns.push_back(edge.column);
    }
    piece.edges.push_back(&edge);
  }
  double total = 0;
  std::vector<double> cost, weight;
  std::vector<std::size_t> matched;
  for (const Piece& piece : pieces) {
    const bool turned = piece.rows.size() > piece.columns.size();
    const std::size_t few = turned ? piece.columns.size() : piece.rows.size();
    const std::size_t many = turned ? piece.rows.size() : piece.columns.size();
    weight.assign(few * many, 0);
    for (const Edge* edge : piece.edges) {
      const auto row = static_cast<std::size_t>(place[static_cast<std::size_t>(edge->row)]);
      const auto column = static_cast<std::size_t>(place[static_cast<std::size_t>(rows + edge->column)]);
      weight[turned ? column * many + row : row * many + column] = edge->weight;
    }
    cost.resize(weight.size());
    for (std::size_t k = 0; k < weight.size(); ++k) cost[k] = -weight[k];
    hungarian(cost, few, many, matched);
    for (std::size_t m = 1; m <= many; ++m) {
      if (matched[m] == 0) continue;
      const std::size_t f = matched[m] - 1;
      const double one = weight[f * many + m - 1];
      if (one <= 0) continue;  // no edge: a dummy
      total += one;
      column_of_row[static_cast<std::size_t>(piece.rows[turned ? m - 1 : f])] = piece.columns[turned ? f : m - 1];
    }
  }
  return total;
}

}  // namespace paragauge
