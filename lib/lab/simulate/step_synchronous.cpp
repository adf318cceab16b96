#include <algorithm>

#include <vnode/lab/step_synchronous.hpp>

#include "base/at.hpp"
#include "simulate/empty_places.hpp"
#include "simulate/links.hpp"

namespace vnode {
namespace {

// Counts what crossed a link in the round that last used it, and in all.
struct Crossing {
  int round = -1, messages = 0, blocks = 0;
  LinkTraffic sum;
};

// Counts the messages of round after round on the links they take.
class Crossings {
 public:
  Crossings(const Schedule& schedule, const Volume& volume, const Interconnect& interconnect)
      : schedule_(schedule), volume_(volume), links_(interconnect) {}

  RoundTime next(const std::vector<Transfer>& messages) {
    ++round_;
    RoundTime time;
    for (const Transfer& message : messages) {
      const int blocks = schedule_.count(message.what);
      time.load.largest = std::max(time.load.largest, blocks);
      for (const int link : links_.way(message.from, message.to)) cross(link, blocks, time);
    }
    return time;
  }

  std::vector<LinkTraffic> links() {
    std::vector<LinkTraffic> all;
    for (std::size_t link = 0; link < crossings_.size(); ++link) {
      all.push_back(crossings_[link].sum);
      all.back().directed_link = links_.directed_link(link);
    }
    std::ranges::sort(all, {}, &LinkTraffic::directed_link);
    return all;
  }

 private:
  void cross(int link, int blocks, RoundTime& time) {
    crossings_.resize(links_.size());
    Crossing& crossing = at(crossings_, link);
    if (crossing.round != round_) {
      crossing.round = round_;
      crossing.messages = crossing.blocks = 0;
    }
    crossing.blocks += blocks;
    ++crossing.sum.messages;
    crossing.sum.bytes += volume_.of(blocks);
    crossing.sum.load = std::max(crossing.sum.load, ++crossing.messages);
    time.load.messages = std::max(time.load.messages, crossing.messages);
    if (time.busiest_link >= 0 && crossing.blocks <= time.load.blocks) return;
    time.load.blocks = crossing.blocks;
    time.busiest_link = links_.directed_link(static_cast<std::size_t>(link));
  }

  const Schedule& schedule_;
  const Volume& volume_;
  Links links_;
  std::vector<Crossing> crossings_;  // by link
  int round_ = -1;
};

}  // namespace

StepSynchronous step_synchronous(const Schedule& schedule, const Volume& volume,
                                 const Interconnect& interconnect, const Hockney& costs, double t_op) {
  check_fits(schedule, interconnect);
  StepSynchronous result;
  Crossings crossings(schedule, volume, interconnect);
  EmptyPlaces empty(schedule, volume);
  for (const Round& round : schedule.rounds()) {
    RoundTime time = crossings.next(messages(round));
    std::vector<long> combined(static_cast<std::size_t>(schedule.nodes()));
    for (const Transfer& transfer : round) at(combined, transfer.to) += empty.combined(transfer);
    const double start_up = costs.t_s + t_op * volume.of(std::ranges::max(combined));
    time.uncongested = start_up + costs.t_w * volume.of(time.load.largest);
    time.scaled = start_up + costs.t_w * volume.of(std::max(time.load.largest, time.load.blocks));
    result.uncongested += time.uncongested;
    result.scaled += time.scaled;
    result.load = std::max(result.load, time.load.messages);
    result.rounds.push_back(time);
  }
  result.links = crossings.links();
  return result;
}

}  // namespace vnode
