#include "record/call_counters.hpp"

#include <algorithm>
#include <bit>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <new>

namespace vnode {

std::size_t CountedKind::Hash::operator()(const CountedKind& kind) const noexcept {
  std::size_t hash = std::hash<std::string_view>()(kind.operation);
  const auto add = [&](std::size_t part) { hash = (hash ^ part) * 0x9e3779b97f4a7c15u + (hash >> 29); };
  add(std::hash<std::string_view>()(kind.algorithm));
  add(kind.group);
  add(static_cast<std::size_t>(kind.radix));
  add(static_cast<std::size_t>(kind.size_class) << 3 | static_cast<std::size_t>(kind.varying) << 2 |
      static_cast<std::size_t>(kind.in_order) << 1 | static_cast<std::size_t>(kind.deterministic));
  return hash;
}

std::uint8_t size_class_of(std::size_t bytes) {
  return bytes == 0 ? std::uint8_t{0} : static_cast<std::uint8_t>(std::bit_width(bytes - 1) + 1);
}

std::size_t most_bytes_of(std::uint8_t size_class) {
  if (size_class == 0) return 0;
  const int shift = size_class - 1;
  return shift < std::numeric_limits<std::size_t>::digits ? std::size_t{1} << shift
                                                          : std::numeric_limits<std::size_t>::max();
}

WaitsByPeer::Cell* WaitsByPeer::cell_of(Rank peer, int nodes) {
  // Relaxed: only this thread writes.
  for (Cell& cell : few_) {
    const Rank known = cell.peer.load(std::memory_order_relaxed);
    if (known == peer) return &cell;
    if (known >= 0) continue;
    cell.peer.store(peer, std::memory_order_relaxed);
    return &cell;
  }
  Cell* all = all_.load(std::memory_order_relaxed);
  if (all == nullptr) {
    all = new (std::nothrow) Cell[static_cast<std::size_t>(nodes)];
    if (all == nullptr) return nullptr;
    nodes_ = nodes;
    all_.store(all, std::memory_order_release);  // (a) the cells are there, and how many
  }
  return &all[peer];
}

void WaitsByPeer::add(Rank peer, Ticks ticks, int nodes) {
  Cell* const cell = peer >= 0 ? cell_of(peer, nodes) : nullptr;
  // Relaxed: only this thread writes.
  if (cell != nullptr)
    cell->ticks.store(cell->ticks.load(std::memory_order_relaxed) + ticks, std::memory_order_relaxed);
}

void CountedRow::add(std::size_t bytes, Ticks time, Ticks waiting) {
  const auto value = [](const auto& word) {
    return word.load(std::memory_order_relaxed);  // only this thread writes
  };
  const auto set = [](auto& word, std::uint64_t number) {
    word.store(number, std::memory_order_release);  // (a) whoever sees it sees the odd version
  };
  const std::uint64_t calls = value(calls_), version = value(version_);
  version_.store(version + 1, std::memory_order_relaxed);
  set(calls_, calls + 1);
  set(bytes_, value(bytes_) + bytes);
  set(time_, value(time_) + time);
  set(waiting_, value(waiting_) + std::min(waiting, time));
  if (calls == 0 || time < value(least_)) set(least_, time);
  if (time > value(longest_)) set(longest_, time);
  version_.store(version + 2, std::memory_order_release);  // (d) the figures are whole
}

CountedRow::Figures CountedRow::figures() const {
  const auto value = [](const auto& word) {
    return word.load(std::memory_order_acquire);  // (b), pairs with (a)
  };
  for (;;) {
    const std::uint64_t before = version_.load(std::memory_order_acquire);  // pairs with (d)
    const Figures figures{value(calls_),   value(bytes_), value(time_),
                          value(waiting_), value(least_), value(longest_)};
    // Relaxed: it is later than the figures, which have been acquired.
    if (before % 2 == 0 && version_.load(std::memory_order_relaxed) == before) return figures;
    pause();  // some instructions of the owner's
  }
}

CountedRow& CallCounters::row(const CountedKind& kind) {
  const auto found = rows_.find(kind);
  if (found != rows_.end()) return *found->second;
  auto made = std::make_unique<CountedRow>(kind, newest_.load(std::memory_order_relaxed),
                                           nodes_);  // the owner's word
  CountedRow& row = *made;
  rows_.emplace(kind, std::move(made));
  newest_.store(&row, std::memory_order_release);  // (c) the row is whole
  return row;
}

void CallTimes::waited(Rank peer, Ticks ticks) {
  waiting_ += ticks;
  if (row_ != nullptr) return row_->add_wait(peer, ticks);
  noted_peer_ = peer;
  noted_ticks_ += ticks;
}

void CallTimes::end(CountedRow& row, std::size_t bytes) {
  if (CallTimes* const whole = counters_.whole(); whole != nullptr && whole != this) {
    whole->waiting_ += waiting_;
    return;
  }
  if (noted_ticks_ > 0) row.add_wait(noted_peer_, noted_ticks_);
  row.add(bytes, now() - begin_, waiting_);
}

std::uint32_t CountedGroups::number(const std::vector<Rank>& nodes, const std::string& topology) {
  std::string name = topology;
  for (const Rank node : nodes) name += fmt::format(" {}", node);
  const std::lock_guard lock(mutex_);
  const auto known = numbers_.find(name);
  if (known != numbers_.end()) return known->second;
  if (entries_.size() > most) return static_cast<std::uint32_t>(most);
  const auto number = static_cast<std::uint32_t>(entries_.size());
  if (number == most) {
    entries_.push_back({});
    return number;
  }
  entries_.push_back({nodes, topology});
  numbers_.emplace(std::move(name), number);
  return number;
}

std::vector<CountedGroups::Entry> CountedGroups::entries() const {
  const std::lock_guard lock(mutex_);
  return entries_;
}

}  // namespace vnode
