#include "reduce/question.hpp"

#include "data/pattern.hpp"
#include "limits/limits.hpp"
#include "reduce/contestants.hpp"

namespace vnode::bench {
namespace {

Contestant rival(const std::string& name, const SharedVectors& data, const Setting& setting) {
  if (name == "std") return reduce_std(data, setting.root, setting.datatype, setting.op);
  if (name == "openmp") return reduce_openmp(data, setting.root, setting.datatype, setting.op);
  return reduce_naive(data, setting.root, setting.datatype, setting.op);
}

}  // namespace

Question reduce_question(const Setting& setting) {
  const auto data = std::make_shared<const Vectors>(setting.nodes, setting.bytes);
  const auto pattern = std::make_shared<const Pattern>(setting.datatype, setting.op, setting.seed);
  Question question;
  question.result = data;
  for (const std::string& algorithm : setting.algorithms)
    question.contestants.push_back(reduce_vnode(data, setting.root, setting.datatype, setting.op, algorithm));
  for (const std::string& name : setting.against) question.contestants.push_back(rival(name, data, setting));
  if (setting.limits && setting.nodes > 1) {
    question.limits.push_back(line_transfer(setting.nodes, rounds_at_least(setting.nodes)));
    if (setting.bytes > line_payload)
      question.limits.push_back(combining(*data, setting.root, setting.datatype, setting.op));
  }
  question.rewrite = [=](const Seat& seat, Iteration iteration) {
    pattern->write((*data)[seat.rank], data->bytes(), seat.rank, iteration);
  };
  // The root has the result, the others still have what they gave.
  question.wrong = [=, root = setting.root](const Seat& seat, const Contestant&, Iteration iteration) {
    const std::byte* vector = (*data)[seat.rank];
    if (seat.rank == root)
      return pattern->differing_from_combination(vector, data->bytes(), data->callers(), iteration);
    return pattern->differing(vector, data->bytes(), seat.rank, iteration);
  };
  return question;
}

}  // namespace vnode::bench
