#include "collective/k_nomial.hpp"

namespace vnode {

int k_nomial_rounds(const Parameters& parameters) {
  const int p = parameters.nodes, k = radix(parameters);
  int rounds = top_digit(p, k);
  for (int weight = top_weight(p, k); weight > 1; weight /= k) rounds += k - 1;
  return rounds;
}

double further_digits(const Parameters& parameters) {
  const int k = radix(parameters);
  int digits = 0;
  for (int weight = top_weight(parameters.nodes, k); weight > 1; weight /= k) ++digits;
  return digits;
}

int k_nomial_distance(const Parameters& parameters, int round) {
  const int p = parameters.nodes, k = radix(parameters);
  int weight = top_weight(p, k), digits = top_digit(p, k);
  for (; round >= digits; digits = k - 1) {
    round -= digits;
    weight /= k;
  }
  return (digits - round) * weight;
}

}  // namespace vnode
