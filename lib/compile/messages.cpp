#include "compile/messages.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "schedule/each_block.hpp"
#include "schedule/sorted_groups.hpp"

namespace vnode {

Messages::Messages(const Schedule& schedule, const Contract& contract, const BlockSizes& sizes,
                   const Profile& profile, std::optional<Rank> alike)
    : schedule_(schedule),
      contract_(contract),
      sizes_(sizes),
      profile_(profile),
      alike_(alike),
      heard_(static_cast<std::size_t>(schedule.nodes())) {
  const std::vector<Round>& rounds = schedule.rounds();
  if (rounds.size() > std::size_t{most_rounds})
    throw UsageError(fmt::format("a schedule to be run may have {} rounds at most", most_rounds));
  bool second = false;  // of two rounds that are played as one
  for (const Round& round : rounds) {
    Of& made = rounds_.emplace_back();
    const std::size_t number = rounds_.size() - 1;
    second = !second && number > 0 && rounds_[number - 1].way != Way::as_it_is;
    if (second) {
      made.way = rounds_[number - 1].way;
    } else if (const auto owner = schedule.blocks() == 0 ? meeting_place(schedule, number) : std::nullopt;
               owner && profile.shared_cores && !crosses(number)) {
      made.way = Way::meeting;
      made.owner = *owner;
    } else if (returns(number)) {
      made.way = Way::returned;
    }
    if (made.way == Way::meeting) continue;
    made.messages = messages_of(schedule, round, alike);
    std::vector<Message>& messages = made.messages.list;
    if (made.way == Way::returned) {
      for (Message& message : messages) {
        message.gathered = message.published = !second;
        message.carriage = Carriage::pull;
      }
    } else {
      choose_wires(messages);
      choose_begun(messages);
      choose_carriages(messages, number + 1 == rounds.size());
      publish_together(messages);
      count_shared(messages);
    }
    this->number(messages);
  }
}

std::size_t Messages::bytes(const Message& message) const {
  std::size_t sum = 0;
  each_block(schedule_.intervals(message.what), [&](int block) { sum += sizes_.bytes(block); });
  return sum;
}

std::size_t Messages::length(Blocks blocks) const {
  if (alike_) return static_cast<std::size_t>(schedule_.count(blocks)) * sizes_.longest();
  std::size_t sum = 0;
  each_block(schedule_.intervals(blocks), [&](int block) { sum += sizes_.bytes(block); });
  return sum;
}

/// Returns whether the contract wants all of these blocks in the output of `rank`.
bool Messages::is_wanted(Rank rank, Blocks blocks) const {
  const std::vector<Interval>& output = at(contract_.shares, rank).output;
  return std::ranges::all_of(schedule_.intervals(blocks), [&](const Interval& wanted) {
    int next = wanted.first;
    for (const Interval& share : output)
      if (share.first <= next && next < share.last) next = std::min(share.last, wanted.last);
    return next == wanted.last;
  });
}

/// Returns whether a message of the round goes between processes.
bool Messages::crosses(std::size_t round) const {
  return profile_.processes != nullptr &&
         std::ranges::any_of(schedule_.rounds()[round],
                             [&](const Transfer& t) { return profile_.is_remote(t.from, t.to); });
}

bool Messages::returns(std::size_t round) const {
  if (!returned(schedule_, contract_, round) || crosses(round)) return false;
  const std::vector<Round>& rounds = schedule_.rounds();
  return std::ranges::all_of(rounds[round],
                             [&](const Transfer& t) { return length(t.what) > profile_.max_inline; }) &&
         std::ranges::all_of(rounds[round + 1], [&](const Transfer& t) {
           return (alike_ && t.to != *alike_) || is_wanted(t.to, t.what);
         });
}

/// Marks the messages that go to other processes. A publication of which only one reader in this process is
/// left stays a publication.
void Messages::choose_wires(std::vector<Message>& messages) const {
  if (profile_.processes == nullptr) return;
  for (Message& message : messages)
    if (profile_.is_remote(message.from, message.to)) {
      message.remote = true;
      message.published = false;
    }
}

/// Marks the signals of nodes that have heard from nobody before: such a signal says that its sender has
/// begun the call, which all members tell in their histories. Only a barrier has messages without blocks, and
/// there nobody is more than a call ahead.
void Messages::choose_begun(std::vector<Message>& messages) {
  if (schedule_.blocks() != 0) return;
  for (Message& message : messages)
    if (!message.remote && !at(heard_, alike_.value_or(message.from))) {
      message.begun = true;
      message.published = message.gathered = false;
    }
  for (const Message& message : messages) at(heard_, message.to) = true;
}

/// Chooses how the bytes of each message travel. A sender that also receives in this round has enough to copy
/// of its own, so its messages are not shared. Where nodes share cores, one that only sends in the `last`
/// round writes lines and is done, rather than stay until all have read its memory.
void Messages::choose_carriages(std::vector<Message>& messages, bool last) const {
  std::vector<bool> receiving(static_cast<std::size_t>(schedule_.nodes()));
  for (const Message& message : messages) at(receiving, message.to) = true;
  if (alike_ && at(receiving, *alike_)) receiving.assign(receiving.size(), true);
  for (Message& message : messages) {
    const std::size_t bytes = length(message.what);
    const bool leaves = last && profile_.shared_cores && !at(receiving, message.from);
    if (leaves && bytes > profile_.max_published && bytes <= profile_.max_inline) message.published = false;
    if (bytes <= (message.published ? profile_.max_published : profile_.max_inline)) continue;
    message.carriage = Carriage::pull;
    if (!message.published && !message.remote && bytes >= profile_.min_shared && !at(receiving, message.from))
      message.carriage = Carriage::shared;
  }
}

void Messages::count_shared(std::vector<Message>& messages) const {
  std::map<Rank, std::uint16_t> shared;
  for (const Message& message : messages)
    if (message.carriage == Carriage::shared) ++shared[message.to];
  for (Message& message : messages)
    if (message.carriage == Carriage::shared)
      message.beside = static_cast<std::uint16_t>(shared[message.to] - 1);
}

/// Makes one publication of all that a node sends to several others in lines, if it fits into a slot and is
/// not one payload for all: they read it there, where it would write a line for each. Otherwise makes one,
/// which tells where the node's memories are, of all that it shows to several others or would let several
/// others read.
void Messages::publish_together(std::vector<Message>& messages) const {
  constexpr std::size_t several = 3;
  std::vector<Grouped> sent;
  for (std::uint32_t i = 0; i < messages.size(); ++i) sent.push_back({number_of(messages[i].from), 0, i});
  each_group(sent, [&](std::span<const Grouped> of_node) {
    const auto is_shown = [&](const Grouped& one) {
      const Message& message = messages[one.index];
      return !message.remote && (message.published || message.carriage != Carriage::lines);
    };
    const auto shown = std::ranges::find_if(of_node, is_shown);
    const bool same =
        shown != of_node.end() && std::ranges::all_of(of_node, [&](const Grouped& one) {
          const Message& message = messages[one.index];
          return !is_shown(one) || (message.published && message.what == messages[shown->index].what);
        });
    std::size_t bytes = 0;
    const bool in_lines = std::ranges::all_of(of_node, [&](const Grouped& one) {
      bytes += length(messages[one.index].what);
      const Message& message = messages[one.index];
      return !message.remote && !message.begun && message.carriage == Carriage::lines;
    });
    const bool all_shown = same && std::ranges::all_of(of_node, is_shown);
    const bool packed =
        in_lines && !all_shown && of_node.size() >= several && bytes <= profile_.max_published;
    if (!packed && (same || std::ranges::count_if(of_node, is_shown) < 2)) return;
    for (const Grouped& one : of_node)
      if (packed || is_shown(one)) {
        messages[one.index].published = true;
        messages[one.index].packed = packed;
        if (!packed) messages[one.index].carriage = Carriage::pull;
      }
  });
  if (!alike_) return;
  const auto own =
      std::ranges::find_if(messages, [&](const Message& message) { return message.from == *alike_; });
  if (own == messages.end() || !own->published) return;
  for (Message& message : messages) {
    message.published = true;
    message.carriage = own->carriage;
    message.packed = own->packed;
  }
}

void Messages::number(std::vector<Message>& messages) const {
  std::vector<Grouped> pairs;
  pairs.reserve(messages.size());
  for (std::uint32_t i = 0; i < messages.size(); ++i)
    pairs.push_back({number_of(messages[i].from, messages[i].to), 0, i});
  each_group(pairs, [&](std::span<const Grouped> pair) {
    for (std::uint32_t i = 1; i < pair.size(); ++i) messages[pair[i].index].number = i;
  });
}

}  // namespace vnode
