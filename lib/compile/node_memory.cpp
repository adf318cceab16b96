#include "compile/node_memory.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

#include "compile/joined_parts.hpp"

namespace vnode {

void NodeMemory::Table::reserve(std::size_t blocks) {
  blocks_.reserve(blocks);
  if (2 * blocks <= slots_.size()) return;
  slots_.assign(std::max<std::size_t>(std::bit_ceil(2 * blocks), 16), 0);
  for (Index index = 0; index < blocks_.size(); ++index) slots_[slot(blocks_[index].number)] = index + 1;
}

NodeMemory::Index NodeMemory::Table::made(int number) {
  if (2 * (blocks_.size() + 1) > slots_.size()) reserve(2 * blocks_.size() + 1);
  Index& place = slots_[slot(number)];
  if (place == 0) {
    blocks_.emplace_back().number = number;
    place = static_cast<Index>(blocks_.size());
  }
  return place - 1;
}

std::optional<NodeMemory::Index> NodeMemory::Table::find(int number) const {
  const Index place = slots_.empty() ? 0 : slots_[slot(number)];
  return place == 0 ? std::nullopt : std::optional(place - 1);
}

std::size_t NodeMemory::Table::slot(int number) const {
  const std::size_t last = slots_.size() - 1;
  std::size_t at = (static_cast<std::uint32_t>(number) * 0x9e3779b1u >> 7) & last;
  while (slots_[at] != 0 && blocks_[slots_[at] - 1].number != number) at = (at + 1) & last;
  return at;
}

NodeMemory::NodeMemory(const Contract& contract, Rank rank, const BlockSizes& sizes, Aliasing aliasing,
                       std::uint32_t tickets)
    : contract_(contract), sizes_(sizes), aliasing_(aliasing) {
  const Share& share = contract.shares[static_cast<std::size_t>(rank)];
  const std::vector<Position> in = positions(contract, sizes, share.input),
                              out = positions(contract, sizes, share.output);
  blocks_.reserve(in.size() + out.size());
  inputs_.reserve(in.size());
  for (const Position& position : in) {
    inputs_.push_back({index(position.block), position.offset});
    Block& entry = blocks_[inputs_.back().block];
    entry.input = position.offset;
    entry.version = {Place::input, 0};
  }
  wanted_.reserve(out.size());
  for (const Position& position : out) {
    wanted_.push_back(index(position.block));
    blocks_[wanted_.back()].want_at(position.offset);
  }
  while (tickets > 0) tickets_.push_back(--tickets);
}

Spot NodeMemory::spot(const Version& version, Index block) const {
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

NodeMemory::Location NodeMemory::user(const Block& entry, Place place) const {
  if (aliasing_ == Aliasing::in_place) {
    const std::size_t first = place == Place::input ? entry.input : entry.output;
    return {first, first + sizes_.bytes(entry.number)};
  }
  auto first = static_cast<std::size_t>(contract_.original(entry.number));
  // This lies apart from all outputs.
  if (aliasing_ == Aliasing::none && place == Place::input)
    first += static_cast<std::size_t>(contract_.blocks);
  return {first, first + 1};
}

NodeMemory::Location NodeMemory::location(Index block) const {
  const Block& entry = blocks_[block];
  if (entry.version.place != Place::scratch) return user(entry, entry.version.place);
  return in_scratch(stretch(entry.version, block));
}

/// Returns whether the block's present version lies where `by` is and may not be overwritten in `round`.
bool NodeMemory::still_needed(Index block, const Location& by, int round) const {
  const Block& entry = blocks_[block];
  if (!entry.version.present || entry.version.place == Place::scratch) return false;
  const Location present = user(entry, entry.version.place);
  if (!present.overlaps(by)) return false;
  const bool stays = entry.wanted && user(entry, Place::output).first != present.first;
  return entry.last_read > round || entry.pulled == round || entry.operand == round || stays;
}

/// Returns whether another block's present version, or this one's while it is read, is in the way. An
/// operator may write exactly where it reads, but not where that overlaps only in part.
bool NodeMemory::blocked(Index block, const Location& target, int round) const {
  const Block& own = blocks_[block];
  if (own.pulled == round && own.version.place != Place::scratch && location(block).overlaps(target))
    return true;
  if (aliasing_ == Aliasing::in_place) return blocked_in_place(block, target, round);
  if (contract_.originals == 0) return false;
  for (int copy = contract_.original(own.number); copy < contract_.blocks; copy += contract_.originals)
    if (copy != own.number)
      if (const auto known = blocks_.find(copy); known && still_needed(*known, target, round)) return true;
  return false;
}

bool NodeMemory::blocked_in_place(Index block, const Location& target, int round) const {
  const Block& own = blocks_[block];
  if (own.operand == round && own.version.place != Place::scratch) {
    const Location present = location(block);
    if (present.overlaps(target) && present.first != target.first) return true;
  }
  auto other = std::ranges::upper_bound(inputs_, target.first, {}, &Input::offset);
  // Blocks of no bytes may share an offset with the one that begins before the target.
  while (other != inputs_.begin()) {
    --other;
    if (other->block != block && still_needed(other->block, target, round)) return true;
    if (other->offset < target.first && bytes(other->block) > 0) break;
  }
  for (other = std::ranges::upper_bound(inputs_, target.first, {}, &Input::offset);
       other != inputs_.end() && other->offset < target.last; ++other)
    if (other->block != block && still_needed(other->block, target, round)) return true;
  return false;
}

void NodeMemory::choose(Index block, int round) {
  Block& own = blocks_[block];
  const bool has_room = own.version.present && own.version.place == Place::scratch;
  if (own.wanted) {
    const Location target = user(own, Place::output);
    if (!blocked(block, target, round)) {
      await_readers(target);
      own.arrival.version = {Place::output, 0};
      return;
    }
  }
  if (has_room && own.pulled != round) {
    await_readers(in_scratch(stretch(own.version, block)));
    own.arrival.version = own.version;
    return;
  }
  own.arrival.version = {Place::scratch, 0};
  roomless_.push_back(block);
}

/// It waits until what has been passed on has been read, rather than take more memory.
void NodeMemory::make_room() {
  if (roomless_.empty()) return;
  rooms_.clear();
  for (const Index block : roomless_) rooms_.push_back({bytes(block), 0});
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
    blocks_[roomless_[i]].arrival.version = {Place::scratch, rooms_[i].offset};
  roomless_.clear();
}

Spot NodeMemory::landing(std::size_t bytes) {
  if (bytes == 0) return {Place::scratch, 0};
  Scratch::Room room{bytes, 0};
  scratch_.take(std::span(&room, 1));
  left_.push_back({room.offset, room.offset + bytes});
  return {Place::scratch, room.offset};
}

void NodeMemory::settle(Index block) {
  Block& entry = blocks_[block];
  const Version& version = entry.arrival.version;
  Version& own = entry.version;
  const bool stays = version.place == Place::scratch && version.offset == own.offset;
  if (own.present && own.place == Place::scratch && !stays) append(left_, stretch(own, block));
  if (version.place == Place::scratch && !(own.present && own.place == Place::scratch))
    in_scratch_.push_back(block);
  own = version;
}

void NodeMemory::retire(int round) {
  std::erase_if(in_scratch_, [&](Index block) {
    Block& entry = blocks_[block];
    if (!entry.version.present || entry.version.place != Place::scratch) return true;
    if (entry.wanted || entry.last_read > round) return false;
    append(left_, stretch(entry.version, block));
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
  join(left_);
  give_back(left_);
  give_back(passed_on_);
  scratch_.give_back(read);
  if (left_.empty()) return;
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

/// Returns whether the version of a block that is wanted is not yet in its place.
bool NodeMemory::elsewhere(Index block) const {
  const Block& entry = blocks_[block];
  const bool same = entry.version.place == Place::input && entry.input == entry.output;
  return entry.version.present && entry.version.place != Place::output && bytes(block) > 0 &&
         !(aliasing_ == Aliasing::in_place && same);
}

void NodeMemory::copy_to_output(Program& program, Index block) {
  Version& own = blocks_[block].version;
  await_readers(user(blocks_[block], Place::output));
  const Version moved{Place::output, 0};
  const Spot into = spot(moved, block);
  steps_.push_back({Step::Kind::copy, 0, static_cast<std::uint32_t>(program.copies.size()), 0, 0, -1});
  program.copies.push_back({bytes(block), spot(own, block), into});
  own = moved;
}

std::size_t NodeMemory::own_bytes() const {
  if (own_copied_ || aliasing_ == Aliasing::in_place) return 0;
  std::size_t sum = 0;
  for (const Index block : wanted_)
    if (!blocks_[block].written && elsewhere(block)) sum += bytes(block);
  return sum;
}

void NodeMemory::copy_own(Program& program, int round) {
  if (own_copied_ || aliasing_ == Aliasing::in_place) return;
  own_copied_ = true;
  for (const Index block : wanted_) {
    if (blocks_[block].written || !elsewhere(block)) continue;
    if (own_bytes_ == 0) {
      own_ = spot(version(block), block);
      own_into_ = spot({Place::output, 0}, block);
    }
    own_bytes_ += bytes(block);
    if (!blocked(block, user(blocks_[block], Place::output), round)) copy_to_output(program, block);
  }
}

void NodeMemory::finish(Program& program) {
  for (const Index block : wanted_)
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
