#include "select/levels.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "base/at.hpp"
#include "building_blocks/remembered.hpp"
#include "schedule/traffic.hpp"

namespace vnode {
namespace {

/// Adds up the load of the one link that every domain has to the others.
class DomainLinks {
 public:
  /// Takes nodes that are apart at `linked` levels or more as in different domains; without a value there are
  /// no links.
  DomainLinks(const Hierarchy& hierarchy, int nodes, std::optional<int> linked)
      : hierarchy_(hierarchy), linked_(linked), domain_of_(static_cast<std::size_t>(nodes)) {
    std::iota(domain_of_.begin(), domain_of_.end(), 0);
    if (linked.value_or(0) > 0) {
      const Hierarchy::Domains& domains = hierarchy.domains(hierarchy.levels() - *linked);
      for (std::size_t i = 0; i < domains.size(); ++i)
        for (const Rank rank : domains[i]) at(domain_of_, rank) = static_cast<int>(i);
    }
    out_.resize(domain_of_.size());
    in_.resize(domain_of_.size());
  }

  struct Load {
    double messages = 0, words = 0;
  };
  struct Loads {
    Load busiest, all, inside;
  };
  /// Returns the load of the busiest link, in the direction that has more, that of all links, and what is
  /// sent inside domains.
  Loads of(const Schedule& schedule, const std::vector<Transfer>& messages) {
    Loads loads;
    auto& [most, all, inside] = loads;
    if (!linked_) return loads;
    std::ranges::fill(out_, Load{});
    std::ranges::fill(in_, Load{});
    for (const Transfer& t : messages) {
      const auto words = static_cast<double>(schedule.count(t.what));
      const bool crosses = hierarchy_.apart(t.from, t.to) >= *linked_;
      Load& total = crosses ? all : inside;
      total.messages += 1;
      total.words += words;
      if (!crosses) continue;
      for (Load* load : {&at(out_, at(domain_of_, t.from)), &at(in_, at(domain_of_, t.to))}) {
        load->messages += 1;
        load->words += words;
        most.messages = std::max(most.messages, load->messages);
        most.words = std::max(most.words, load->words);
      }
    }
    return loads;
  }

 private:
  const Hierarchy& hierarchy_;
  std::optional<int> linked_;
  std::vector<int> domain_of_;
  std::vector<Load> out_, in_;
};

std::vector<ShareOfLevel> counts_by_level(const Algorithm& algorithm, const Parameters& parameters,
                                          std::optional<int> linked) {
  const Schedule schedule = algorithm.build(parameters);
  const Hierarchy& hierarchy = parameters.hierarchy;
  std::vector<ShareOfLevel> counts(static_cast<std::size_t>(hierarchy.levels()) + 1);
  DomainLinks links(hierarchy, parameters.nodes, linked);
  for (const Round& round : schedule.rounds()) {
    int apart = 0;
    for (const Transfer& t : round) apart = std::max(apart, hierarchy.apart(t.from, t.to));
    const std::vector<Transfer> sent = messages(round);
    const auto words = static_cast<double>(traffic(schedule, round, sent).largest);
    const auto [busiest, all, inside] = links.of(schedule, sent);
    ShareOfLevel& own = at(counts, apart);
    own.rounds += 1;
    own.words += words;
    own.sent += static_cast<double>(sent.size());
    own.link_messages += busiest.messages;
    own.link_words += busiest.words;
    own.all_messages += all.messages;
    own.all_words += all.words;
    own.inside_words += inside.words;
  }
  return counts;
}

void add(ShareOfLevel& to, double times, const ShareOfLevel& one) {
  to.rounds += times * one.rounds;
  to.words += times * one.words;
  to.sent += times * one.sent;
  to.link_messages += times * one.link_messages;
  to.link_words += times * one.link_words;
  to.all_messages += times * one.all_messages;
  to.all_words += times * one.all_words;
  to.inside_words += times * one.inside_words;
}

}  // namespace

bool SharesOfLevels::Key::operator==(const Key& other) const {
  return algorithm == other.algorithm && linked == other.linked && same(parameters, other.parameters);
}

std::size_t SharesOfLevels::Hash::operator()(const Key& key) const {
  const auto root = static_cast<std::size_t>(key.parameters.root);
  const auto segments = static_cast<std::size_t>(key.parameters.segments);
  const auto linked = static_cast<std::size_t>(key.linked.value_or(-1) + 1);
  return std::hash<const Algorithm*>()(key.algorithm) ^
         ((root * 64 + segments) * 32 + linked) * 0x9e3779b97f4a7c15;
}

const std::vector<ShareOfLevel>& SharesOfLevels::counts(const Algorithm& algorithm, Parameters parameters,
                                                        std::optional<int> linked) {
  Key key{&algorithm, std::move(parameters), linked};
  if (const auto found = known_.find(key); found != known_.end()) return found->second;
  std::vector<ShareOfLevel> made = counts_by_level(algorithm, key.parameters, linked);
  if (known_.size() >= capacity) known_.clear();
  return known_.emplace(std::move(key), std::move(made)).first->second;
}

const std::vector<ShareOfLevel>& SharesOfLevels::of(const Algorithm& algorithm, Parameters parameters,
                                                    std::optional<int> linked) {
  constexpr int enough = 64;  // segments, to fill a pipeline through a domain
  const int segments = parameters.segments;
  parameters.segments = std::min(segments, enough);
  shares_ = counts(algorithm, parameters, linked);
  if (segments > enough) {
    constexpr int half = enough / 2;
    const std::vector<ShareOfLevel> whole = shares_;
    parameters.segments = half;
    const std::vector<ShareOfLevel>& fewer = counts(algorithm, std::move(parameters), linked);
    const double more = static_cast<double>(segments - enough) / half;
    for (std::size_t apart = 0; apart < shares_.size(); ++apart) {
      add(shares_[apart], more, whole[apart]);
      add(shares_[apart], -more, fewer[apart]);
    }
  }
  ShareOfLevel all;
  for (ShareOfLevel& share : shares_) {
    // Between domains that are longer than that the rounds of one level may seem to become fewer.
    share = {std::max(share.rounds, 0.0),     std::max(share.words, 0.0),
             std::max(share.sent, 0.0),       std::max(share.link_messages, 0.0),
             std::max(share.link_words, 0.0), std::max(share.all_messages, 0.0),
             std::max(share.all_words, 0.0),  std::max(share.inside_words, 0.0)};
    add(all, 1, share);
  }
  for (ShareOfLevel& share : shares_) {
    for (double* const messages : {&share.rounds, &share.sent, &share.link_messages, &share.all_messages})
      if (all.rounds > 0) *messages /= all.rounds;
    for (double* const words : {&share.words, &share.link_words, &share.all_words, &share.inside_words})
      if (all.words > 0) *words /= all.words;
  }
  return shares_;
}

}  // namespace vnode
