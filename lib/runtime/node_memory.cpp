#include "runtime/node_memory.hpp"

#include <algorithm>

namespace vnode {

ByteMap::ByteMap(std::size_t blocks, std::size_t count, std::size_t element_bytes) : starts_(blocks + 1) {
  for (std::size_t b = 1; b <= blocks; ++b)
    starts_[b] = (b * (count / blocks) + std::min(b, count % blocks)) * element_bytes;
}

NodeMemory::NodeMemory(const ByteMap& blocks, const Share& share, std::uint32_t cells)
    : blocks_(blocks), versions_(blocks.blocks()), wanted_(blocks.blocks()), last_read_(blocks.blocks(), -1) {
  for (const Interval& interval : share.input)
    for (int b = interval.first; b < interval.last; ++b)
      versions_[static_cast<std::size_t>(b)].present = true;
  for (const Interval& interval : share.output)
    for (int b = interval.first; b < interval.last; ++b) wanted_[static_cast<std::size_t>(b)] = true;
  if (!share.input.empty()) input_start_ = blocks.start(static_cast<std::size_t>(share.input.front().first));
  if (!share.output.empty())
    output_start_ = blocks.start(static_cast<std::size_t>(share.output.front().first));
  while (cells > 0) cells_.push_back(--cells);
}

Spot NodeMemory::spot(const Version& version, std::size_t block) const {
  switch (version.place) {
    case Place::input:
      return {Place::input, blocks_.start(block) - input_start_};
    case Place::output:
      return {Place::output, blocks_.start(block) - output_start_};
    case Place::scratch:
      break;
  }
  return {Place::scratch, scratch_.offset(version.slot)};
}

NodeMemory::Location NodeMemory::location(std::size_t block) const {
  const Version& version = versions_[block];
  return version.place == Place::scratch ? Location{true, version.slot} : Location{false, block};
}

NodeMemory::Version NodeMemory::choose(std::size_t block, bool read_now) {
  const Version& own = versions_[block];
  const bool in_scratch = own.present && own.place == Place::scratch;
  if (wanted_[block] && (in_scratch || !read_now)) {
    await_readers({false, block});
    return {true, Place::output, 0};
  }
  if (in_scratch && !read_now) {
    await_readers({true, own.slot});
    return own;
  }
  return {true, Place::scratch, scratch_.take(blocks_.bytes(block))};
}

void NodeMemory::settle(std::size_t block, const Version& version) {
  Version& own = versions_[block];
  const bool stays = version.place == Place::scratch && version.slot == own.slot;
  if (own.present && own.place == Place::scratch && !stays) left_.push_back(own.slot);
  own = version;
}

void NodeMemory::retire(int round) {
  for (std::size_t b = 0; b < versions_.size(); ++b) {
    Version& own = versions_[b];
    if (!own.present || own.place != Place::scratch || wanted_[b] || last_read_[b] > round) continue;
    left_.push_back(own.slot);
    own.present = false;
  }
  std::erase_if(left_, [&](std::size_t slot) {
    if (exposed({true, slot})) return false;
    scratch_.give_back(slot);
    return true;
  });
}

void NodeMemory::expose(const Step& await, std::vector<Location> locations) {
  exposures_.push_back({await, std::move(locations)});
}

bool NodeMemory::exposed(const Location& location) const {
  return std::ranges::any_of(exposures_, [&](const Exposure& exposure) {
    return std::ranges::find(exposure.locations, location) != exposure.locations.end();
  });
}

void NodeMemory::await_oldest() {
  const Step& await = exposures_.front().await;
  steps_.push_back(await);
  if (await.kind == Step::Kind::await_cell) give_cell(await.cell);
  exposures_.pop_front();
}

void NodeMemory::await_readers(const Location& location) {
  while (exposed(location)) await_oldest();
}

void NodeMemory::free_cells(std::size_t cells) {
  while (cells_.size() < cells) await_oldest();
}

std::uint32_t NodeMemory::take_cell() {
  const std::uint32_t cell = cells_.back();
  cells_.pop_back();
  return cell;
}

Program NodeMemory::finish(std::vector<Piece>& parts) {
  for (std::size_t b = 0; b < versions_.size(); ++b) {
    const Version& own = versions_[b];
    if (!wanted_[b] || !own.present || own.place == Place::output || blocks_.bytes(b) == 0) continue;
    await_readers({false, b});
    const Spot into = spot({true, Place::output, 0}, b);
    steps_.push_back({Step::Kind::copy, 0, static_cast<std::uint32_t>(parts.size()), 0, 0, -1});
    parts.push_back({0, blocks_.bytes(b), spot(own, b), into, into, Effect::replace});
  }
  while (!exposures_.empty()) await_oldest();
  return {std::move(steps_), scratch_.bytes()};
}

}
