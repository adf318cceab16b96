#pragma once

namespace vnode {

/// An array of `extent` nodes or, if it wraps, a ring. A ring of fewer than three nodes is an array.
class Axis {
 public:
  Axis() = default;
  Axis(int extent, bool wraps) : extent_(extent), wraps_(wraps && extent > 2) {}

  int extent() const { return extent_; }
  /// Link i joins i and i + 1, on a ring the last one the ends.
  int links() const { return wraps_ ? extent_ : extent_ - 1; }
  bool has_link(int at, int step) const { return wraps_ || (at + step >= 0 && at + step < extent_); }
  /// Where one step of +1 or -1 leads.
  int after(int at, int step) const {
    const int next = at + step;
    return next < 0 ? extent_ - 1 : next == extent_ ? 0 : next;
  }
  /// The link of that step.
  int link(int at, int step) const { return step > 0 ? at : after(at, -1); }
  /// The steps of the shorter way, positive if towards higher numbers: on a ring's tie, too.
  int steps(int from, int to) const {
    if (!wraps_) return to - from;
    const int up = to >= from ? to - from : to - from + extent_;
    return 2 * up <= extent_ ? up : up - extent_;
  }
  int diameter() const { return wraps_ ? extent_ / 2 : extent_ - 1; }
  /// The links between two halves.
  int bisection() const { return wraps_ ? 2 : extent_ > 1 ? 1 : 0; }

 private:
  int extent_ = 1;
  bool wraps_ = false;
};

}  // namespace vnode
