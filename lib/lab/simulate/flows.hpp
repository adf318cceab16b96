#pragma once

#include <algorithm>
#include <limits>
#include <vector>

#include <vnode/model/memory_banks.hpp>

#include "interconnect/bank_condition.hpp"

namespace vnode {

/// Says where a transfer's bytes come from and go to: it names banks, and the NUMA node that copies the
/// bytes.
struct Stream {
  int read = 0;   ///< bank, or every_bank
  int copy = 0;   ///< NUMA node
  int write = 0;  ///< bank, or every_bank
};

/// Holds the transfers under way that share the bandwidth of memory like a fluid, whose rates change when one
/// of them begins or ends. All rates grow together until a bank, a way between two NUMA nodes or the transfer
/// itself allows no more; the transfers that are held there stay so, the others go on (progressive filling:
/// max-min fair).
class Flows {
 public:
  /// Throws UsageError if there is no bank that every_bank is to stand for.
  explicit Flows(const MemoryBanks& memory)
      : bandwidth_(memory.bandwidth),
        banks_(static_cast<int>(memory.bandwidth.size())),
        turns_(turns_of(memory)),
        ways_limited_(!memory.between.empty()) {
    for (const std::vector<double>& row : memory.between)
      bandwidth_.insert(bandwidth_.end(), row.begin(), row.end());
    wanted_.resize(bandwidth_.size());
  }

  /// Begins a transfer of `bytes` that takes `pace` seconds a byte where there is enough for all.
  void begin(int message, double now, double bytes, double pace, const Stream& stream) {
    const auto at = std::ranges::lower_bound(flows_, message, {}, &Flow::message);
    flows_.insert(at, {message, bytes, now, pace, infinity, needs(stream)});
    now_ = now;
    changed_ = true;
  }
  /// Returns when the next transfer ends; infinity if there is none. O(transfers) after a begin or an end.
  double next() {
    if (changed_) share();
    double next = infinity;
    for (const Flow& flow : flows_) next = std::min(next, flow.end());
    return next;
  }
  /// Ends the transfers that end at that time and returns them, in the order of their numbers.
  std::vector<int> end() {
    now_ = next();
    std::vector<int> ended;
    std::erase_if(flows_, [&](const Flow& flow) {
      const bool ends = flow.end() <= now_;
      if (ends) ended.push_back(flow.message);
      return ends;
    });
    changed_ = true;
    return ended;
  }

 private:
  struct Need {
    int place;     // a bank or a way, in free_
    double share;  // of the transfer's rate: twice for who reads and writes in one bank
  };
  struct Flow {
    int message;
    double bytes, since;  // left at that time
    double own, pace;     // seconds a byte: at best, and now
    std::vector<Need> needs;
    double end() const { return since + bytes * pace; }
  };

  static constexpr double infinity = std::numeric_limits<double>::infinity();
  // A rate as seconds a byte, and back: without limit is 0.
  static double inverse(double value) { return value > 0 ? 1 / value : infinity; }

  std::vector<Need> needs(const Stream& stream) const {
    std::vector<Need> list;
    const auto need = [&](int place, double share) {
      const auto known = std::ranges::find(list, place, &Need::place);
      if (known == list.end())
        list.push_back({place, share});
      else
        known->share += share;
    };
    const auto pass = [&](int from, int to, double share) {
      if (ways_limited_ && from != to) need(banks_ * (1 + from) + to, share);
    };
    const auto each = [&](int bank, const auto& visit) {
      if (bank != every_bank) return visit(bank, 1.0);
      for (const int one : turns_) visit(one, 1.0 / static_cast<double>(turns_.size()));
    };
    each(stream.read, [&](int bank, double share) { need(bank, share); });
    each(stream.write, [&](int bank, double share) { need(bank, share); });
    each(stream.read, [&](int bank, double share) { pass(bank, stream.copy, share); });
    each(stream.write, [&](int bank, double share) { pass(stream.copy, bank, share); });
    return list;
  }
  void share() {
    changed_ = false;
    free_ = bandwidth_;
    std::ranges::fill(wanted_, 0);
    const auto each_need = [](const Flow& flow, const auto& visit) {
      for (const Need& need : flow.needs) visit(static_cast<std::size_t>(need.place), need.share);
    };
    for (const Flow& flow : flows_)
      each_need(flow, [&](std::size_t place, double share) { wanted_[place] += share; });
    std::vector<char> fixed(flows_.size());
    for (std::size_t left = flows_.size(); left > 0;) {
      const double rate = tightest(fixed);
      std::vector<char> used_up(free_.size());
      for (std::size_t place = 0; place < free_.size(); ++place)
        used_up[place] = wanted_[place] > 0 && free_[place] / wanted_[place] <= rate;
      for (std::size_t i = 0; i < flows_.size(); ++i) {
        Flow& flow = flows_[i];
        const bool itself = inverse(flow.own) <= rate;
        bool held = itself;
        each_need(flow, [&](std::size_t place, double) { held = held || used_up[place]; });
        if (fixed[i] || !held) continue;
        fixed[i] = true;
        --left;
        each_need(flow, [&](std::size_t place, double share) {
          free_[place] = std::max(0.0, free_[place] - share * rate);
          wanted_[place] -= share;
        });
        const double pace = itself ? flow.own : inverse(rate);
        if (pace == flow.pace) continue;
        if (flow.pace < infinity && flow.pace > 0) flow.bytes -= (now_ - flow.since) / flow.pace;
        flow.bytes = std::max(0.0, flow.bytes);
        flow.since = now_;
        flow.pace = pace;
      }
    }
  }
  // The least rate, the same for all who are not fixed, at which a place or one of them is used up.
  double tightest(const std::vector<char>& fixed) const {
    double rate = infinity;
    for (std::size_t place = 0; place < free_.size(); ++place)
      if (wanted_[place] > 0) rate = std::min(rate, free_[place] / wanted_[place]);
    for (std::size_t i = 0; i < flows_.size(); ++i)
      if (!fixed[i]) rate = std::min(rate, inverse(flows_[i].own));
    return rate;
  }

  std::vector<double> bandwidth_;  // of the banks, then of the ways from a to b
  int banks_;
  std::vector<int> turns_;  // those that every_bank stands for
  bool ways_limited_;
  std::vector<Flow> flows_;  // by message
  double now_ = 0;
  bool changed_ = false;
  std::vector<double> free_, wanted_;  // while rates are found: bandwidth left, shares of who is not held yet
};

}  // namespace vnode
