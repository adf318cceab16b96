#include <bit>

#include <vnode/lab/lower_bounds.hpp>

namespace vnode {

int least_rounds(int p, int ports) {
  int rounds = 0;
  for (long reached = 1; reached < p; reached *= ports + 1) ++rounds;
  return rounds;
}

LowerBound broadcast_bound(int p, int ports, int segments) {
  if (ports > 1)
    return {p > 1 ? double((segments + ports - 1) / ports - 1 + least_rounds(p, ports)) : 0,
            p > 1 ? 1.0 / ports : 0,
            "(t_s (ceil(k / g) - 1 + ceil(log2(p) / log2(g + 1))) + t_w m / g) min(p - 1, 1)"};
  return {p > 1 ? double(segments - 1 + least_rounds(p, 1)) : 0, p > 1 ? 1.0 : 0,
          "(t_s (k - 1 + ceil(log2 p)) + t_w m) min(p - 1, 1)"};
}

LowerBound all_reduce_bound(int p, int ports) {
  return {double(least_rounds(p, ports)), 2.0 * (p - 1) / p / ports,
          ports > 1 ? "t_s ceil(log2(p) / log2(g + 1)) + 2 t_w m (p - 1) / (p g)"
                    : "t_s ceil(log2 p) + 2 t_w m (p - 1) / p"};
}

LowerBound personalized_bound(int p, int ports) {
  return {
      double(least_rounds(p, ports)), double(p - 1) / ports,
      ports > 1 ? "t_s ceil(log2(p) / log2(g + 1)) + t_w m (p - 1) / g" : "t_s ceil(log2 p) + t_w m (p - 1)"};
}

LowerBound hypercube_exchange_bound(int p) {
  const auto dimensions = std::bit_width(static_cast<unsigned>(p)) - 1;
  return {double(dimensions), p > 1 ? p / 2.0 : 0, "t_s log2 p + [p > 1] t_w m p / 2"};
}

LowerBound barrier_bound(int p, int ports) {
  return {double(least_rounds(p, ports)), 0,
          ports > 1 ? "t_s ceil(log2(p) / log2(g + 1))" : "t_s ceil(log2 p)"};
}

LowerBound shift_bound(int q) { return {double(q > 0), double(q > 0), "(t_s + t_w m) min(q, 1)"}; }

}  // namespace vnode
