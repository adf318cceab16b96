#include "data/pattern.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <initializer_list>

#include "data/element.hpp"
#include "data/vectors.hpp"

using namespace vnode;
using namespace vnode::bench;

TEST_CASE("a vector shows who wrote it and when") {
  for (const Arithmetic type : datatypes.values) {
    CAPTURE(datatypes[type]);
    const Pattern pattern{type, std::nullopt, 7};
    const std::size_t bytes = 10000 * size_of(type);
    std::vector<std::byte> vector(bytes);
    pattern.write(vector.data(), bytes, 3, 11);
    CHECK(pattern.differing(vector.data(), bytes, {3}, 11) == 0);
    CHECK(pattern.differing(vector.data(), bytes, {4}, 11) > 9000);
    CHECK(pattern.differing(vector.data(), bytes, {3}, 12) > 9000);
    const std::size_t part = 1000 * size_of(type);
    CHECK(pattern.differing(vector.data() + part, bytes - part, {3, part}, 11) == 0);
    CHECK(pattern.differing(vector.data(), part, {3, part}, 11) > 900);
    CHECK(Pattern(type, std::nullopt, 8).differing(vector.data(), bytes, {3}, 11) > 9000);
  }
}

TEST_CASE("one wrong element is one, and so is a block in a wrong place its elements") {
  const Pattern pattern{vnode::Arithmetic::f64, std::nullopt, 1};
  std::vector<double> vector(9000);
  auto* bytes = reinterpret_cast<std::byte*>(vector.data());
  pattern.write(bytes, 72000, 0, 0);
  std::byte& victim = bytes[8 * 4500 + 3];
  victim = ~victim;
  CHECK(pattern.differing(bytes, 72000, {0}, 0) == 1);
  victim = ~victim;
  std::memcpy(bytes, bytes + 8 * 4096, 8 * 1024);
  CHECK(pattern.differing(bytes, 72000, {0}, 0) > 1000);
}

TEST_CASE("combinations are exact in every type, in every order") {
  constexpr int p = 5;
  constexpr std::size_t count = 5000;
  for (const Arithmetic type : datatypes.values)
    for (const auto& op : operators) {
      CAPTURE(datatypes[type]);
      CAPTURE(op.name);
      if (!has_operator(type, op.value)) continue;
      const Pattern pattern{type, op.value, 3};
      const std::size_t bytes = count * size_of(type);
      std::vector<Pattern::Source> all;
      for (int rank = 0; rank < p; ++rank) all.push_back({rank});
      std::vector<std::vector<std::byte>> given(p, std::vector<std::byte>(bytes));
      for (int rank = 0; rank < p; ++rank)
        pattern.write(given[static_cast<std::size_t>(rank)].data(), bytes, rank, 9);
      std::vector<std::byte> result = given[p - 1];
      with_type(type, [&]<class T>(std::type_identity<T>) {
        with_operator<T>(op.value, [&](auto combine) {
          for (std::size_t rank = 0; rank + 1 < p; ++rank)
            for (std::size_t i = 0; i < count; ++i) {
              T left, right;
              std::memcpy(static_cast<void*>(&left), result.data() + i * sizeof(T), sizeof(T));
              std::memcpy(static_cast<void*>(&right), given[rank].data() + i * sizeof(T), sizeof(T));
              left = static_cast<T>(combine(left, right));
              std::memcpy(result.data() + i * sizeof(T), &left, sizeof(T));
            }
        });
      });
      CHECK(pattern.differing_from_combination(result.data(), bytes, all, 9) == 0);
      result[bytes / 2] = ~result[bytes / 2];
      CHECK(pattern.differing_from_combination(result.data(), bytes, all, 9) == 1);
    }
}

TEST_CASE("the parts of a vector are whole lines, do not overlap and leave nothing out") {
  for (const std::size_t bytes :
       std::initializer_list<std::size_t>{0, 1, 8, 63, 64, 65, 128, 1000, 65536, 1000003})
    for (const int parts : {1, 2, 3, 7, 64}) {
      std::size_t next = 0;
      for (int index = 0; index < parts; ++index) {
        const Part part = part_of(bytes, index, parts);
        CHECK(part.begin == next);
        CHECK((part.begin % 64 == 0 || part.begin == bytes));
        next += part.size;
      }
      CHECK(next == bytes);
    }
}
