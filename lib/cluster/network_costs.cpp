#include "cluster/network_costs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <thread>
#include <vector>

namespace vnode {
namespace {

using Clock = std::chrono::steady_clock;

/// Limits the time of measuring: a slow network is measured with fewer tries.
constexpr std::chrono::milliseconds most_measuring{30};
constexpr std::size_t tries = 9;
constexpr int short_rounds = 32;
constexpr std::size_t long_bytes = std::size_t{1} << 20;

/// The request of the first end to the other: to answer, not to answer, to answer a long message, or to stop.
/// Either end may also say that it has failed.
enum class Ask : std::uint8_t { answer, nothing, take, stop, failed };
struct Question {
  Ask ask = Ask::answer;
  std::uint32_t number = 0;  // of the long message
  std::uint64_t bytes = 0;
};

struct OtherFailed {};

/// An end is one of the two that measure. Its calls throw OtherFailed when the other one has said that it
/// failed.
class End final : Wire::Events {
 public:
  End(Wire& wire, Rank other) : wire_(wire), other_(other) {}
  ~End() {
    if (on_its_way_) static_cast<void>(payload_.release());  // the wire's for good
  }

  void ask(const Question& question) {
    std::array<std::byte, sizeof(Question)> bytes;
    std::memcpy(bytes.data(), &question, sizeof question);
    while (!wire_.tell(other_, bytes, {})) poll();
  }
  Question hear() {
    while (heard_.empty()) poll();
    const Question first = heard_.front();
    heard_.erase(heard_.begin());
    return first;
  }
  void give(std::size_t bytes) {
    const std::span payload(this->payload(), bytes);
    const std::uint32_t number = wire_.number(other_, bytes);
    ask({Ask::take, number, bytes});
    on_its_way_ = true;
    wire_.send(other_, number, payload, false, this);
    while (on_its_way_) poll();
  }
  void take(const Question& question) {
    const std::span payload(this->payload(), question.bytes);
    on_its_way_ = true;
    wire_.receive(other_, question.number, payload, this);
    while (on_its_way_) poll();
  }
  /// Tells the other end, if it can be reached, that this one has failed.
  void fail() noexcept {
    try {
      ask({Ask::failed});
    } catch (...) {
      // What carries has failed, which the other end sees, too, or that has failed as well.
    }
  }

 private:
  void poll() {
    wire_.poll(*this);
    if (other_failed_) throw OtherFailed();
    std::this_thread::yield();
  }
  void arrived(Rank, std::span<const std::byte> message) override {
    Question question;
    std::memcpy(&question, message.data(), sizeof question);
    question.ask == Ask::failed ? void(other_failed_ = true) : heard_.push_back(question);
  }
  void ended(void*, bool) override { on_its_way_ = false; }
  std::byte* payload() {
    if (payload_ == nullptr) payload_ = std::make_unique<std::byte[]>(long_bytes);
    return payload_.get();
  }

  Wire& wire_;
  Rank other_;
  std::unique_ptr<std::byte[]> payload_;
  std::vector<Question> heard_;
  bool on_its_way_ = false, other_failed_ = false;
};

void answer_all(End& end) {
  for (;;) {
    const Question question = end.hear();
    if (question.ask == Ask::stop) return;
    if (question.ask == Ask::take) end.take(question);
    if (question.ask != Ask::nothing) end.ask({});
  }
}

/// Returns the mean seconds of a round in each of some tries, as long as there is time, the quickest first.
/// The very first try takes longer and does not count.
template <class Round>
std::vector<double> seconds_of(int rounds, Clock::time_point until, const Round& round) {
  std::vector<double> seconds;
  round();
  do {
    const auto begin = Clock::now();
    for (int i = 0; i < rounds; ++i) round();
    seconds.push_back(std::chrono::duration<double>(Clock::now() - begin).count() / rounds);
  } while (seconds.size() < tries && Clock::now() < until);
  std::ranges::sort(seconds);
  return seconds;
}

PairCosts measured_by(End& end) {
  const auto until = Clock::now() + most_measuring;
  // Disturbances of short messages only add time.
  const auto asked = [&](int untold) {
    for (int i = 0; i < untold; ++i) end.ask({Ask::nothing});
    end.ask({});
    end.hear();
  };
  const double there_and_back = seconds_of(short_rounds, until, [&] { asked(0); }).front();
  const double after_others = seconds_of(1, until, [&] { asked(short_rounds); }).front();
  // Long ones are quickest when nothing else is there to be done, as it is in a collective.
  const std::vector<double> taken = seconds_of(1, until, [&] {
    end.give(long_bytes);
    end.hear();
  });
  end.ask({Ask::stop});
  const double t_s = there_and_back / 2, usual = taken[taken.size() / 2];
  const double t_w = std::max(usual - there_and_back, usual / 2) / long_bytes;
  const double o = std::clamp((after_others - there_and_back) / short_rounds, 0.0, t_s);
  return network(t_s, t_w, o, Origin::measured);
}

}  // namespace

PairCosts measured_network(Transport& transport) {
  int other = 0;
  while (other < transport.processes() && transport.machine(other) == transport.machine(0)) ++other;
  if (other == transport.processes() || (transport.process() != 0 && transport.process() != other))
    return typical_network();
  Rank first_there = 0;
  for (int process = 0; process < other; ++process) first_there += transport.nodes(process);
  const bool measures = transport.process() == 0;
  End end(transport.wire(0), measures ? first_there : 0);
  try {
    if (measures) return measured_by(end);
    answer_all(end);
    return typical_network();
  } catch (const OtherFailed&) {
    return typical_network();
  } catch (...) {
    end.fail();
    throw;
  }
}

}  // namespace vnode
