#include "timing/eviction.hpp"

#include <fmt/format.h>
#include <new>

#include <vnode/error.hpp>

namespace vnode {
namespace {
constexpr std::align_val_t page{4096};
constexpr std::size_t line = 64;
}  // namespace

void Eviction::Free::operator()(std::byte* memory) const { ::operator delete(memory, page); }

Eviction::Eviction(int callers, std::size_t bytes) : bytes_(bytes) {
  for (Rank caller = 0; bytes > 0 && caller < callers; ++caller) {
    void* memory = ::operator new(bytes, page, std::nothrow);
    if (memory == nullptr)
      throw SystemError(
          fmt::format("no memory for {} buffers of {} bytes to walk between calls", callers, bytes));
    buffers_.emplace_back(static_cast<std::byte*>(memory));
  }
}

void Eviction::walk(Rank caller) {
  if (bytes_ == 0) return;
  volatile std::byte* const buffer = buffers_[static_cast<std::size_t>(caller)].get();
  for (std::size_t at = 0; at < bytes_; at += line) buffer[at] = buffer[at] ^ std::byte{1};
}

}  // namespace vnode
