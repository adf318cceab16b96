#include "limits/mailbox.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/pause.hpp"
#include "limits/limits.hpp"

namespace vnode::bench {
namespace {

constexpr std::size_t flag_bytes = 16, line = 64, pair_of_lines = 128;

}  // namespace

Mailbox::Mailbox(std::size_t bytes, bool answered, bool relaxing, std::size_t readers)
    : offset_(bytes <= line_payload ? flag_bytes : line),
      stride_((offset_ + bytes + pair_of_lines - 1) / pair_of_lines * pair_of_lines),
      slots_(answered ? 2 : 8),
      answered_(answered),
      relaxing_(relaxing),
      memory_(1, slots_ * stride_),
      readers_(readers) {
  std::memset(memory_[0], 0, slots_ * stride_);
}

std::byte* Mailbox::next() {
  const std::uint64_t number = writer_.posted + 1;
  if (!answered_ && number > writer_.seen + slots_) {
    writer_.seen = number;
    for (Reader& reader : readers_) {
      reader.has_taken.await(number - slots_, relaxing_);
      // Pairs with raise() in take().
      writer_.seen = std::min(writer_.seen, reader.has_taken.value.load(std::memory_order_acquire));
    }
  }
  return slot(number) + offset_;
}

void Mailbox::post() {
  const std::uint64_t number = ++writer_.posted;
  // Pairs with the load in await().
  std::atomic_ref{*reinterpret_cast<std::uint64_t*>(slot(number))}.store(number, std::memory_order_release);
}

std::size_t Mailbox::await(std::size_t reader) {
  const std::uint64_t number = readers_[reader].taken + 1;
  const std::atomic_ref posted{*reinterpret_cast<std::uint64_t*>(slot(number))};
  while (posted.load(std::memory_order_acquire) != number)  // pairs with the store in post()
    if (relaxing_) pause();
  return number % slots_;
}

void Mailbox::take(std::size_t reader) {
  Reader& own = readers_[reader];
  if (++own.taken % (slots_ / 2) == 0 && !answered_) own.has_taken.raise(own.taken);
}

}  // namespace vnode::bench
