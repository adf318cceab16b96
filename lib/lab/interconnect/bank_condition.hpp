#pragma once

#include <vector>

#include <vnode/lab/interconnect.hpp>
#include <vnode/model/memory_banks.hpp>

namespace vnode {

/// Names the buffers that a message leaves and arrives by: those of the ports where its way begins and ends.
struct PortEnds {
  PortBuffer out, in;
};
PortEnds port_ends(const Interconnect& interconnect, Rank from, Rank to);

/// Returns the bank of a buffer, or every_bank. Throws UsageError if the memory has no such bank.
int bank_of(const MemoryBanks& memory, const PortBuffer& buffer);

/// Returns the banks that every_bank stands for. Throws UsageError if the memory has no such bank.
std::vector<int> turns_of(const MemoryBanks& memory);

}  // namespace vnode
