#include "broadcast/question.hpp"

#include "broadcast/contestants.hpp"
#include "data/pattern.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

Contestant rival(const std::string& name, const SharedVectors& data, Rank root) {
  if (name == "std") return broadcast_std(data, root);
  if (name == "openmp") return broadcast_openmp(data, root);
  return broadcast_naive(data, root);
}

std::vector<Limit> limits(const Setting& setting, const Vectors& data) {
  std::vector<Limit> limits{line_transfer(setting.nodes, rounds_at_least(setting.nodes))};
  if (setting.bytes > line_payload) {
    std::vector<Movement> movements;
    for (Rank rank = 0; rank < setting.nodes; ++rank)
      if (rank != setting.root) movements.push_back({setting.root, rank, data[setting.root], data[rank]});
    limits.push_back(copying(movements, setting.bytes));
  }
  return limits;
}

}  // namespace

Question broadcast_question(const Setting& setting) {
  const auto data = std::make_shared<const Vectors>(setting.nodes, setting.bytes);
  const auto pattern = std::make_shared<const Pattern>(setting.datatype, std::nullopt, setting.seed);
  Question question;
  question.result = data;
  for (const std::string& algorithm : setting.algorithms)
    question.contestants.push_back(broadcast_vnode(data, setting.root, setting.datatype, algorithm));
  for (const std::string& name : setting.against)
    question.contestants.push_back(rival(name, data, setting.root));
  if (setting.limits && setting.nodes > 1) question.limits = limits(setting, *data);
  question.rewrite = [=](const Seat& seat, Iteration iteration) {
    pattern->write((*data)[seat.rank], data->bytes(), seat.rank, iteration);
  };
  question.wrong = [=, root = setting.root](const Seat& seat, const Contestant&, Iteration iteration) {
    return pattern->differing((*data)[seat.rank], data->bytes(), root, iteration);
  };
  return question;
}

}  // namespace vnode::bench
