#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "report/row.hpp"

namespace vnode::bench {

/// What there is to say of all rows together.
class Tally {
 public:
  /// Rows of one question, that were measured together.
  void add(const std::vector<Row>& rows);
  /// The number of rows, vnode's best and worst beside the limit and beside the fastest peer, and wrong
  /// results. Peers that call by one thread, and figures of few calls, are no measure.
  std::string text() const;

 private:
  struct Extreme {
    double quotient;
    std::string where;
  };
  struct Range {
    std::optional<Extreme> best, worst;
    void add(double quotient, const std::string& where);
    std::string text(const char* of) const;
  };

  std::size_t rows_ = 0, wrong_ = 0;
  Range limit_, peers_;
};

}  // namespace vnode::bench
