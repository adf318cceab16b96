#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/lab/memory_banks.hpp>

namespace vnode {

/// The buffers that a message leaves and comes in by: of the ports where its way begins and ends.
struct PortEnds {
  PortBuffer out, in;
};
PortEnds port_ends(const Interconnect& interconnect, Rank from, Rank to);

/// The bank of a buffer, or every_bank. UsageError if the memory has no such bank.
int bank_of(const MemoryBanks& memory, const PortBuffer& buffer);

/// The banks that every_bank stands for. UsageError if the memory has no such bank.
std::vector<int> turns_of(const MemoryBanks& memory);

}  // namespace vnode
