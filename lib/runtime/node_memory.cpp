#include "runtime/node_memory.hpp"

#include <algorithm>

namespace vnode {

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
  return {Place::scratch, scratch_.offset(version.slot)};
}

NodeMemory::Location NodeMemory::user(int block, Place place, const Block& entry) const {
  if (aliasing_ == Aliasing::in_place) {
    const std::size_t first = place == Place::input ? entry.input : entry.output;
    return {false, first, first + sizes_.bytes(block)};
  }
  auto first = static_cast<std::size_t>(contract_.original(block));
  // Apart from all outputs.
  if (aliasing_ == Aliasing::none && place == Place::input)
    first += static_cast<std::size_t>(contract_.blocks);
  return {false, first, first + 1};
}

NodeMemory::Location NodeMemory::location(int block) {
  const Block& entry = blocks_[block];
  if (entry.version.place != Place::scratch) return user(block, entry.version.place, entry);
  return {true, entry.version.slot, entry.version.slot + 1};
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

NodeMemory::Version NodeMemory::choose(int block, int round) {
  const Block& own = blocks_[block];
  const bool in_scratch = own.version.present && own.version.place == Place::scratch;
  if (own.wanted) {
    const Location target = user(block, Place::output, own);
    if (!blocked(block, target, round)) {
      await_readers(target);
      return {true, Place::output, 0};
    }
  }
  if (in_scratch && own.pulled != round) {
    await_readers({true, own.version.slot, own.version.slot + 1});
    return own.version;
  }
  return {true, Place::scratch, take_slot(sizes_.bytes(block))};
}

/// Rather than to take more memory, it waits until what has been passed on has been read.
std::size_t NodeMemory::take_slot(std::size_t bytes) {
  if (!scratch_.has_free(bytes)) {
    const auto slot =
        std::ranges::find_if(passed_on_, [&](std::size_t one) { return scratch_.bytes(one) >= bytes; });
    if (slot != passed_on_.end()) {
      await_readers({true, *slot, *slot + 1});
      scratch_.give_back(*slot);
      passed_on_.erase(slot);
    }
  }
  return scratch_.take(bytes);
}

void NodeMemory::settle(int block, const Version& version) {
  Version& own = blocks_[block].version;
  const bool stays = version.place == Place::scratch && version.slot == own.slot;
  if (own.present && own.place == Place::scratch && !stays) left_.push_back(own.slot);
  if (version.place == Place::scratch && !(own.present && own.place == Place::scratch))
    in_scratch_.push_back(block);
  own = version;
}

void NodeMemory::retire(int round) {
  std::erase_if(in_scratch_, [&](int block) {
    Block& entry = blocks_[block];
    if (!entry.version.present || entry.version.place != Place::scratch) return true;
    if (entry.wanted || entry.last_read > round) return false;
    left_.push_back(entry.version.slot);
    entry.version.present = false;
    return true;
  });
  passed_on_.insert(passed_on_.end(), left_.begin(), left_.end());
  left_.clear();
  std::erase_if(passed_on_, [&](std::size_t slot) {
    if (exposed({true, slot, slot + 1})) return false;
    scratch_.give_back(slot);
    return true;
  });
}

void NodeMemory::expose(const Step& await, std::vector<Location> locations) {
  exposures_.push_back({await, std::move(locations)});
}

bool NodeMemory::exposed(const Location& location) const {
  return std::ranges::any_of(exposures_, [&](const Exposure& exposure) {
    return std::ranges::any_of(exposure.locations,
                               [&](const Location& read) { return read.overlaps(location); });
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
