#include "runtime/node_memory.hpp"

#include <algorithm>
#include <iterator>

namespace vnode {

void join(std::vector<Scratch::Stretch>& stretches) {
  if (!std::ranges::is_sorted(stretches, {}, &Scratch::Stretch::first))
    std::ranges::sort(stretches, {}, &Scratch::Stretch::first);
  std::size_t joined = 0;
  for (const Scratch::Stretch& next : stretches)
    if (joined > 0 && next.first <= stretches[joined - 1].last)
      stretches[joined - 1].last = std::max(stretches[joined - 1].last, next.last);
    else
      stretches[joined++] = next;
  stretches.resize(joined);
}

namespace {

std::size_t sum(std::span<const Scratch::Room> rooms) {
  std::size_t bytes = 0;
  for (const Scratch::Room& room : rooms) bytes += room.bytes;
  return bytes;
}

}

std::size_t Scratch::shortest_hole(std::span<const Room> rooms) {
  constexpr std::size_t worth_a_piece = 256;
  std::size_t longest = worth_a_piece;
  for (const Room& room : rooms) longest = std::max(longest, room.bytes);
  return std::min(longest, sum(rooms));
}

bool Scratch::has_free(std::span<const Room> rooms) const {
  const std::size_t least = shortest_hole(rooms), all = sum(rooms);
  std::size_t free = 0;
  for (const Stretch& hole : holes_)
    if (usable(hole) >= least) free += usable(hole);
  return free >= all;
}

void Scratch::take(std::span<Room> rooms) {
  const std::size_t least = shortest_hole(rooms), all = sum(rooms);
  std::vector<Stretch> left;
  const auto fill = [&](const Stretch& hole) {
    std::size_t at = std::min(whole_lines(hole.first), hole.last);
    left.push_back({hole.first, at});
    for (; !rooms.empty() && at + rooms.front().bytes <= hole.last; rooms = rooms.subspan(1)) {
      rooms.front().offset = at;
      at += rooms.front().bytes;
    }
    left.push_back({at, hole.last});
  };
  const Stretch* fitting = nullptr;  // the shortest for all
  for (const Stretch& hole : holes_)
    if (usable(hole) >= all && (fitting == nullptr || usable(hole) < usable(*fitting))) fitting = &hole;
  for (const Stretch& hole : holes_)
    if (fitting != nullptr ? &hole == fitting : usable(hole) >= least)
      fill(hole);
    else
      left.push_back(hole);
  if (!rooms.empty()) {
    const std::size_t first = !left.empty() && left.back().last == end_ ? left.back().first : end_;
    if (first < end_) left.pop_back();
    end_ = whole_lines(first) + sum(rooms);
    fill({first, end_});
  }
  std::erase_if(left, [](const Stretch& hole) { return hole.first >= hole.last; });
  holes_ = std::move(left);
}

void Scratch::give_back(std::span<const Stretch> stretches) {
  if (stretches.empty()) return;
  holes_.insert(holes_.end(), stretches.begin(), stretches.end());
  join(holes_);
}

NodeMemory::Block& NodeMemory::Table::made(int number) {
  if (2 * (blocks_.size() + 1) > indices_.size()) {
    indices_.assign(std::max<std::size_t>(2 * indices_.size(), 16), 0);
    for (std::uint32_t i = 0; i < blocks_.size(); ++i) index(blocks_[i].first) = i + 1;
  }
  std::uint32_t& place = index(number);
  if (place == 0) {
    blocks_.emplace_back(number, Block());
    place = static_cast<std::uint32_t>(blocks_.size());
  }
  return blocks_[place - 1].second;
}

NodeMemory::Block* NodeMemory::Table::find(int number) {
  const std::uint32_t place = indices_.empty() ? 0 : index(number);
  return place == 0 ? nullptr : &blocks_[place - 1].second;
}

std::uint32_t& NodeMemory::Table::index(int number) {
  const std::size_t last = indices_.size() - 1;
  std::size_t at = (static_cast<std::uint32_t>(number) * 0x9e3779b1u >> 7) & last;
  while (indices_[at] != 0 && blocks_[indices_[at] - 1].first != number) at = (at + 1) & last;
  return indices_[at];
}

NodeMemory::NodeMemory(const Contract& contract, Rank rank, const BlockSizes& sizes, Aliasing aliasing,
                       std::uint32_t tickets)
    : contract_(contract), sizes_(sizes), aliasing_(aliasing) {
  const Share& share = contract.shares[static_cast<std::size_t>(rank)];
  inputs_ = positions(contract, sizes, share.input);
  for (const Position& position : inputs_) {
    Block& entry = blocks_.made(position.block);
    entry.input = position.offset;
    entry.version.present = true;
  }
  for (const Position& position : positions(contract, sizes, share.output)) {
    Block& entry = blocks_.made(position.block);
    entry.output = position.offset;
    entry.wanted = true;
    wanted_.push_back(position.block);
  }
  while (tickets > 0) tickets_.push_back(--tickets);
}

Spot NodeMemory::spot(const Version& version, int block) {
  switch (version.place) {
    case Place::input:
      return {Place::input, blocks_[block].input};
    case Place::output:
      return {Place::output, blocks_[block].output};
    case Place::scratch:
      break;
  }
  return {Place::scratch, version.offset};
}

NodeMemory::Location NodeMemory::user(int block, Place place, const Block& entry) const {
  if (aliasing_ == Aliasing::in_place) {
    const std::size_t first = place == Place::input ? entry.input : entry.output;
    return {first, first + sizes_.bytes(block)};
  }
  auto first = static_cast<std::size_t>(contract_.original(block));
  // Apart from all outputs.
  if (aliasing_ == Aliasing::none && place == Place::input)
    first += static_cast<std::size_t>(contract_.blocks);
  return {first, first + 1};
}

NodeMemory::Location NodeMemory::location(int block) {
  const Block& entry = blocks_[block];
  if (entry.version.place != Place::scratch) return user(block, entry.version.place, entry);
  return in_scratch(stretch(entry.version, block));
}

/// Whether the block's present version lies where `by` is and may not be overwritten in `round`.
bool NodeMemory::still_needed(int block, const Location& by, int round) {
  const Block& entry = blocks_[block];
  if (!entry.version.present || entry.version.place == Place::scratch) return false;
  const Location present = user(block, entry.version.place, entry);
  if (!present.overlaps(by)) return false;
  const bool stays = entry.wanted && user(block, Place::output, entry).first != present.first;
  return entry.last_read > round || entry.pulled == round || entry.operand == round || stays;
}

/// Whether another block's present version, or this one's while it is read, is in the way. An operator may
/// write where it reads, but not half over it.
bool NodeMemory::blocked(int block, const Location& target, int round) {
  const Block& own = blocks_[block];
  if (own.pulled == round && own.version.place != Place::scratch && location(block).overlaps(target))
    return true;
  if (aliasing_ == Aliasing::in_place) {
    if (own.operand == round && own.version.place != Place::scratch) {
      const Location present = location(block);
      if (present.overlaps(target) && present.first != target.first) return true;
    }
    auto other = std::ranges::upper_bound(inputs_, target.first, {}, &Position::offset);
    // Blocks of no bytes may share an offset with the one that begins before the target.
    while (other != inputs_.begin()) {
      --other;
      if (other->block != block && still_needed(other->block, target, round)) return true;
      if (other->offset < target.first && sizes_.bytes(other->block) > 0) break;
    }
    for (other = std::ranges::upper_bound(inputs_, target.first, {}, &Position::offset);
         other != inputs_.end() && other->offset < target.last; ++other)
      if (other->block != block && still_needed(other->block, target, round)) return true;
    return false;
  }
  if (contract_.originals == 0) return false;
  for (int copy = contract_.original(block); copy < contract_.blocks; copy += contract_.originals)
    if (copy != block && blocks_.find(copy) != nullptr && still_needed(copy, target, round)) return true;
  return false;
}

void NodeMemory::choose(int block, int round) {
  Block& own = blocks_[block];
  const bool has_room = own.version.present && own.version.place == Place::scratch;
  if (own.wanted) {
    const Location target = user(block, Place::output, own);
    if (!blocked(block, target, round)) {
      await_readers(target);
      own.arrival.version = {true, Place::output, 0};
      return;
    }
  }
  if (has_room && own.pulled != round) {
    await_readers(in_scratch(stretch(own.version, block)));
    own.arrival.version = own.version;
    return;
  }
  own.arrival.version = {true, Place::scratch, 0};
  roomless_.push_back(block);
}

/// Rather than to take more memory, it waits until what has been passed on has been read.
void NodeMemory::make_room() {
  if (roomless_.empty()) return;
  rooms_.clear();
  for (const int block : roomless_) rooms_.push_back({sizes_.bytes(block), 0});
  while (!scratch_.has_free(rooms_)) {
    const auto read = std::ranges::find_if(
        passed_on_, [least = Scratch::shortest_hole(rooms_)](const Scratch::Stretch& one) {
          return one.last - one.first >= least;
        });
    if (read == passed_on_.end()) break;
    await_readers(in_scratch(*read));
    scratch_.give_back(std::span(&*read, 1));
    passed_on_.erase(read);
  }
  scratch_.take(rooms_);
  for (std::size_t i = 0; i < roomless_.size(); ++i)
    blocks_[roomless_[i]].arrival.version.offset = rooms_[i].offset;
  roomless_.clear();
}

Spot NodeMemory::landing(std::size_t bytes) {
  if (bytes == 0) return {Place::scratch, 0};
  Scratch::Room room{bytes, 0};
  scratch_.take(std::span(&room, 1));
  left_.push_back({room.offset, room.offset + bytes});
  return {Place::scratch, room.offset};
}

void NodeMemory::settle(int block) {
  Block& entry = blocks_[block];
  const Version& version = entry.arrival.version;
  Version& own = entry.version;
  const bool stays = version.place == Place::scratch && version.offset == own.offset;
  if (own.present && own.place == Place::scratch && !stays) left_.push_back(stretch(own, block));
  if (version.place == Place::scratch && !(own.present && own.place == Place::scratch))
    in_scratch_.push_back(block);
  own = version;
}

void NodeMemory::retire(int round) {
  std::erase_if(in_scratch_, [&](int block) {
    Block& entry = blocks_[block];
    if (!entry.version.present || entry.version.place != Place::scratch) return true;
    if (entry.wanted || entry.last_read > round) return false;
    left_.push_back(stretch(entry.version, block));
    entry.version.present = false;
    return true;
  });
  std::vector<Scratch::Stretch> read;
  const auto give_back = [&](std::vector<Scratch::Stretch>& stretches) {
    std::erase_if(stretches, [&](const Scratch::Stretch& one) {
      if (exposed(in_scratch(one))) return false;
      read.push_back(one);
      return true;
    });
  };
  give_back(left_);
  give_back(passed_on_);
  scratch_.give_back(read);
  passed_on_.insert(passed_on_.end(), left_.begin(), left_.end());
  join(passed_on_);
  left_.clear();
}

void NodeMemory::expose(const Step& await, std::vector<Location> locations) {
  join(locations);
  exposures_.push_back({await, std::move(locations)});
}

bool NodeMemory::exposed(const Location& location) const {
  return std::ranges::any_of(exposures_, [&](const Exposure& exposure) {
    const auto after = std::ranges::lower_bound(exposure.locations, location.last, {}, &Location::first);
    return after != exposure.locations.begin() && std::prev(after)->overlaps(location);
  });
}

void NodeMemory::await_oldest() {
  const Step& await = exposures_.front().await;
  steps_.push_back(await);
  if (await.kind == Step::Kind::await_done) give_ticket(await.index);
  exposures_.pop_front();
}

void NodeMemory::await_readers(const Location& location) {
  while (exposed(location)) await_oldest();
}

void NodeMemory::free_tickets(std::size_t tickets) {
  while (tickets_.size() < tickets) await_oldest();
}

std::uint32_t NodeMemory::take_ticket() {
  const std::uint32_t ticket = tickets_.back();
  tickets_.pop_back();
  most_tickets_ = std::max<std::size_t>(most_tickets_, ticket + 1);
  return ticket;
}

/// Whether a block that is wanted has its version not yet in its place.
bool NodeMemory::elsewhere(int block) {
  const Block& entry = blocks_[block];
  const bool same = entry.version.place == Place::input && entry.input == entry.output;
  return entry.version.present && entry.version.place != Place::output && sizes_.bytes(block) > 0 &&
         !(aliasing_ == Aliasing::in_place && same);
}

void NodeMemory::copy_to_output(Program& program, int block) {
  Version& own = blocks_[block].version;
  await_readers(user(block, Place::output, blocks_[block]));
  const Version moved{true, Place::output, 0};
  const Spot into = spot(moved, block);
  steps_.push_back({Step::Kind::copy, 0, static_cast<std::uint32_t>(program.copies.size()), 0, 0, -1});
  program.copies.push_back({sizes_.bytes(block), spot(own, block), into});
  own = moved;
}

std::size_t NodeMemory::own_bytes() {
  if (own_copied_ || aliasing_ == Aliasing::in_place) return 0;
  std::size_t sum = 0;
  for (const int block : wanted_)
    if (!blocks_[block].written && elsewhere(block)) sum += sizes_.bytes(block);
  return sum;
}

void NodeMemory::copy_own(Program& program, int round) {
  if (own_copied_ || aliasing_ == Aliasing::in_place) return;
  own_copied_ = true;
  for (const int block : wanted_) {
    if (blocks_[block].written || !elsewhere(block)) continue;
    if (own_bytes_ == 0) {
      own_ = spot(version(block), block);
      own_into_ = spot({true, Place::output, 0}, block);
    }
    own_bytes_ += sizes_.bytes(block);
    if (!blocked(block, user(block, Place::output, blocks_[block]), round)) copy_to_output(program, block);
  }
}

void NodeMemory::finish(Program& program) {
  for (const int block : wanted_)
    if (elsewhere(block)) copy_to_output(program, block);
  await_all();
  program.steps = std::move(steps_);
  program.scratch_bytes = scratch_.bytes();
  program.tickets = most_tickets_;
  program.own_bytes = own_bytes_;
  program.own = own_;
  program.own_into = own_into_;
}

}  // namespace vnode
