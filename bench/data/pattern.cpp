#include "data/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "data/element.hpp"

namespace vnode::bench {
namespace {

// SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Sums of small integers and products of signs are exact in every type, on 256 nodes at least; unsigned
// products of odd numbers wrap around alike in every order.
template <class T>
T value(StandardOperator op, std::uint64_t random) {
  if constexpr (Complex<T>) {
    using Part = typename T::value_type;
    const Part part = value<Part>(op, random);
    if (op == StandardOperator::multiplies) return random / 2 % 2 == 0 ? T(part, 0) : T(0, part);
    return T(part, value<Part>(op, mix(random)));
  } else if (op == StandardOperator::multiplies) {
    if constexpr (std::is_unsigned_v<T>) return static_cast<T>(random % 2 == 0 ? 1 : 3);
    return static_cast<T>(random % 2 == 0 ? 1 : -1);
  } else {
    if constexpr (std::is_unsigned_v<T>) return static_cast<T>(random % 16);
    if constexpr (std::is_same_v<T, bfloat16>) return T(static_cast<int>(random % 3) - 1);
    return static_cast<T>(static_cast<int>(random % 16) - 8);
  }
}

}  // namespace

Pattern::Pattern(Arithmetic datatype, std::optional<StandardOperator> op, std::uint64_t seed)
    : datatype_(datatype), element_(size_of(datatype)), op_(op), seed_(seed), table_(2 * period * element_) {
  with_type(datatype, [&]<class T>(std::type_identity<T>) {
    for (std::size_t i = 0; i < 2 * period; ++i) {
      const std::uint64_t random = mix(seed + i % period), bits[] = {random, mix(random)};
      static_assert(sizeof(T) <= sizeof bits);
      const T number = op ? value<T>(*op, random) : T{};
      std::memcpy(table_.data() + i * sizeof(T), op ? static_cast<const void*>(&number) : bits, sizeof(T));
    }
  });
}

std::size_t Pattern::offset(const Source& source, Iteration iteration) const {
  const std::uint64_t own = mix(mix(seed_ ^ iteration) + static_cast<std::uint64_t>(source.rank)) % period;
  return (own + source.first / element_) % period;
}

void Pattern::write(std::byte* vector, std::size_t bytes, Rank rank, Iteration iteration) const {
  const std::byte* source = table_.data() + offset({rank}, iteration) * element_;
  for (std::size_t at = 0; at < bytes; at += period * element_)
    std::memcpy(vector + at, source, std::min(period * element_, bytes - at));
}

std::size_t Pattern::differing(const std::byte* vector, std::size_t bytes, const Source& source,
                               Iteration iteration) const {
  return differing(vector, bytes, table_.data() + offset(source, iteration) * element_);
}

std::size_t Pattern::differing_from_combination(const std::byte* vector, std::size_t bytes,
                                                std::span<const Source> sources, Iteration iteration) const {
  std::vector<std::byte> expected(period * element_);
  with_type(datatype_, [&]<class T>(std::type_identity<T>) {
    with_operator<T>(*op_, [&](auto op) {
      for (std::size_t j = 0; j < period; ++j) {
        T sum{};
        for (std::size_t i = 0; i < sources.size(); ++i) {
          T next;
          std::memcpy(static_cast<void*>(&next),
                      table_.data() + (offset(sources[i], iteration) + j) * sizeof(T), sizeof(T));
          sum = i == 0 ? next : static_cast<T>(op(sum, next));
        }
        std::memcpy(expected.data() + j * sizeof(T), &sum, sizeof(T));
      }
    });
  });
  return differing(vector, bytes, expected.data());
}

std::size_t Pattern::differing(const std::byte* vector, std::size_t bytes, const std::byte* expected) const {
  std::size_t count = 0;
  with_type(datatype_, [&]<class T>(std::type_identity<T>) {
    for (std::size_t at = 0; at < bytes; at += period * sizeof(T)) {
      const std::size_t size = std::min(period * sizeof(T), bytes - at);
      if (std::memcmp(vector + at, expected, size) == 0) continue;
      for (std::size_t i = 0; i < size; i += sizeof(T)) {
        // A number may have bits that do not count, and there are two zeros.
        T number, wanted;
        std::memcpy(static_cast<void*>(&number), vector + at + i, sizeof(T));
        std::memcpy(static_cast<void*>(&wanted), expected + i, sizeof(T));
        count += std::memcmp(vector + at + i, expected + i, sizeof(T)) != 0 && !(op_ && number == wanted);
      }
    }
  });
  return count;
}

}  // namespace vnode::bench
