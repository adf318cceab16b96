#include "call/packing.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

#include <vnode/error.hpp>

#include "base/pause.hpp"
#include "call/arguments.hpp"
#include "schedule/collective_traits.hpp"

namespace vnode {
namespace {

/// Tells whether the call reads this node's input.
bool reads(const Arguments& call, Rank me) {
  return is_among(traits(call.collective).readers, me, call.root);
}
/// Tells whether the call writes this node's output.
bool writes(const Arguments& call, Rank me) {
  return is_among(traits(call.collective).writers, me, call.root);
}

}  // namespace

Packing::Packing(Engine& engine, Rank me, const Arguments& arguments, bool keeps) : packed_(arguments) {
  const std::size_t element_bytes = arguments.type->bytes;
  const bool written = writes(arguments, me);
  if (written && arguments.out.count > 0) check_once(enums::name(arguments.collective), arguments.out);
  const auto side = [](const Buffer& buffer) {
    return buffer.layout == nullptr ? Side{}
                                    : Side{*buffer.layout, static_cast<std::byte*>(buffer.data), nullptr,
                                           buffer.first, buffer.count};
  };
  const bool in_laid = arguments.in.layout != nullptr, out_laid = arguments.out.layout != nullptr;
  Side in = side(arguments.in), out = side(arguments.out);
  // In place: input and output are of the same elements, which are packed once.
  const bool one = in_laid && out_laid && in.user == out.user && in.layout.same(out.layout);
  Side both = in;
  if (one) {
    both.first = std::min(in.first, out.first);
    both.count = std::max(in.first + in.count, out.first + out.count) - both.first;
  }
  const std::size_t alignment = std::max(arguments.type->alignment, std::size_t{two_lines});
  const auto rounded = [=](std::size_t count) {
    return (count * arguments.type->bytes + alignment - 1) / alignment * alignment;
  };
  std::size_t bytes = rounded(one ? both.count : in.count);
  if (!one && __builtin_add_overflow(bytes, rounded(out.count), &bytes)) throw std::bad_alloc();
  std::byte* begin = nullptr;
  if (bytes > 0 && !keeps) {
    lease_.emplace(engine, bytes, 0);
    begin = lease_->scratch();
  } else if (bytes > 0) {
    memory_ = AlignedMemory(bytes, alignment);
    begin = memory_.data();
  }
  if (one) {
    both.packed = begin;
    in.packed = begin + (in.first - both.first) * element_bytes;
    out.packed = begin + (out.first - both.first) * element_bytes;
  } else {
    in.packed = begin;
    out.packed = begin + rounded(in.count);
  }
  if (in_laid) packed_.in = {.data = in.packed, .count = in.count, .parts = arguments.in.parts};
  if (out_laid) packed_.out = {.data = out.packed, .count = out.count, .parts = arguments.out.parts};

  // Parts of the output may leave gaps, whose elements keep their values.
  const bool gaps = arguments.out.parts != nullptr;
  if (one) {
    if (reads(arguments, me) || gaps) packs_in_ = both;
  } else {
    if (in_laid && reads(arguments, me)) packs_in_ = in;
    if (out_laid && written && gaps) packs_out_ = out;
  }
  if (out_laid && written) unpacks_ = out;
}

void Packing::pack() const {
  for (const auto& side : {std::cref(packs_in_), std::cref(packs_out_)})
    if (const auto& packs = side.get())
      vnode::pack(packs->packed, packs->laid(), 0, packs->count, packed_.type->bytes);
}

void Packing::unpack() const {
  if (unpacks_) vnode::unpack(unpacks_->laid(), unpacks_->packed, 0, unpacks_->count, packed_.type->bytes);
}

}  // namespace vnode
