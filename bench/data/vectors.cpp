#include "data/vectors.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <new>

#include <vnode/error.hpp>

namespace vnode::bench {
namespace {
constexpr std::align_val_t page{4096};
constexpr std::size_t line = 64;
}  // namespace

void Vectors::Free::operator()(std::byte* memory) const { ::operator delete(memory, page); }

Vectors::Vectors(int callers, std::size_t bytes)
    : Vectors(std::vector<std::size_t>(static_cast<std::size_t>(callers), bytes)) {}

Vectors::Vectors(const std::vector<std::size_t>& bytes) : bytes_(bytes) {
  for (const std::size_t size : bytes) {
    void* memory = ::operator new(std::max<std::size_t>(size, 1), page, std::nothrow);
    if (memory == nullptr)
      throw SystemError{
          fmt::format("no memory for {} vectors of {} bytes: ask for fewer nodes or a smaller --max-bytes",
                      bytes.size(), size)};
    memory_.emplace_back(static_cast<std::byte*>(memory));
  }
}

Vectors::Vectors(const std::vector<int>& messages, std::size_t bytes, const Team& team) {
  for (std::size_t at = 0; at < messages.size(); ++at) {
    const Rank rank = static_cast<Rank>(at);
    bytes_.push_back(static_cast<std::size_t>(messages[at]) * bytes);
    placed_.push_back(team.buffer<std::byte>(rank, bytes_.back(),
                                             messages[at] * std::max(team.topology().degree(rank), 1)));
  }
}

Part part_of(std::size_t bytes, int index, int parts) {
  const std::size_t lines = (bytes + line - 1) / line;
  const auto border = [&](int part) {
    return std::min(bytes, lines * static_cast<std::size_t>(part) / static_cast<std::size_t>(parts) * line);
  };
  const std::size_t begin = border(index);
  return {begin, border(index + 1) - begin};
}

}  // namespace vnode::bench
