#include <algorithm>
#include <cmath>

#include <vnode/model/timeline.hpp>

#include "harness.hpp"

using namespace vnode;

namespace {

// Times are written in other units than they are kept in.
bool same_time(double a, double b, double largest) { return std::abs(a - b) <= 1e-12 * (1 + largest); }

bool same(const Timeline& a, const Timeline& b) {
  double largest = 0;
  for (const TimedMessage& message : a.messages)
    largest = std::max({largest, std::abs(message.start), std::abs(message.end)});
  // Messages of nearly equal starts may change places.
  return a.title == b.title && a.nodes == b.nodes && a.messages.size() == b.messages.size() &&
         same_time(a.seconds, b.seconds, largest) &&
         std::ranges::all_of(a.messages, [&](const TimedMessage& one) {
           return std::ranges::any_of(b.messages, [&](const TimedMessage& other) {
             return one.round == other.round && one.from == other.from && one.to == other.to &&
                    one.bytes == other.bytes && same_time(one.start, other.start, largest) &&
                    same_time(one.departure, other.departure, largest) &&
                    same_time(one.end, other.end, largest);
           });
         });
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::tried(data, size, [](std::string_view text) {
    const Timeline timeline = timeline_from_trace(text);
    fuzz::require(same(timeline_from_trace(to_trace(timeline)), timeline),
                  "what is written is read as the same");
  });
}
