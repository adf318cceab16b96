#include "c/element.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <string>

#include <vnode/c/operator.h>
#include <vnode/float16.hpp>

#include "base/at.hpp"
#include "c/entry.hpp"
#include "c/standard.hpp"

namespace vnode {
namespace {

struct TypeRow {
  const char* name = nullptr;
  const ElementType* element = nullptr;
};

constexpr auto by_number = [] {
  std::array<TypeRow, standard_types> rows{};
  each_standard_type([&]<class T>(vnode_type type, const char* name) {
    at(rows, type) = {name, &element_type<T>};
  });
  return rows;
}();

/// Types of the program's own, by number. None ever ends: calls that have been planned name them.
///
/// A number is handed out after its place has been written, so whoever has one by a way that orders memory
/// sees the place; acquire (b) pairs with release (a) for whoever has not.
class OwnTypes {
 public:
  static constexpr int first = 0x20000000, most = 4096;

  vnode_type add(std::string_view name, std::size_t bytes, std::size_t alignment) {
    const std::lock_guard lock(mutex_);
    for (int i = 0; i < count_; ++i)
      if (const ElementType& known = *places_[index(i)].load(std::memory_order_relaxed);  // under the lock
          known.name == name && known.bytes == bytes && known.alignment == alignment)
        return static_cast<vnode_type>(first + i);
    if (count_ == most)
      throw WrongArgument(fmt::format("there are {} types already: no more can be made", most));
    // Types of one name and different sizes differ in all nodes' eyes.
    const Kept& made = kept_.emplace_back(name, bytes, alignment);
    places_[index(count_)].store(&made.type, std::memory_order_release);  // (a)
    return static_cast<vnode_type>(first + count_++);
  }
  const ElementType* find(int number) const {
    if (number < first || number >= first + most) return nullptr;
    return places_[index(number - first)].load(std::memory_order_acquire);  // (b)
  }

 private:
  struct Kept {
    Kept(std::string_view named, std::size_t bytes, std::size_t alignment)
        : name(named),
          type{name, hash_of(fmt::format("{} of {} bytes, {}", name, bytes, alignment)), bytes, alignment} {}
    Kept(const Kept&) = delete;
    std::string name;
    ElementType type;
  };
  static std::size_t index(int i) { return static_cast<std::size_t>(i); }

  std::mutex mutex_;
  int count_ = 0;
  std::deque<Kept> kept_;
  std::array<std::atomic<const ElementType*>, most> places_{};
};

/// Never ends: nodes may be at work when the process exits.
OwnTypes& own_types() {
  static OwnTypes& types = *new OwnTypes;
  return types;
}

const ElementType* find_element(int number) {
  if (number >= 0 && number < standard_types) return by_number[static_cast<std::size_t>(number)].element;
  return own_types().find(number);
}

}  // namespace

const ElementType& element_of(vnode_type type) {
  const auto number = static_cast<unsigned>(type);
  if (number < standard_types) [[likely]]
    if (const ElementType* const found = by_number[number].element) return *found;
  if (const ElementType* const found = find_element(static_cast<int>(type))) return *found;
  const char* const op = vnode_operator_name(static_cast<vnode_operator>(type));
  throw WrongArgument(op != nullptr ? fmt::format("the type is {}, an operator", op)
                                    : fmt::format("there is no type {}", static_cast<int>(type)));
}

std::string_view type_name_of(vnode_type type) {
  const std::string_view name = element_of(type).name;
  const char* const named = vnode_type_name(type);
  return named != nullptr ? named : name;
}

}  // namespace vnode

using namespace vnode;

int vnode_type_register(const char* name, size_t bytes, size_t alignment, vnode_type* type) {
  return entry([&] {
    vnode_type& made = needed(type, "the address of the type");
    if (text_or_empty(name).empty()) throw WrongArgument("the type has no name");
    if (!std::has_single_bit(alignment) || bytes == 0 || bytes % alignment != 0)
      throw WrongArgument(
          fmt::format("{} of {} bytes, aligned to {}: the alignment is a power of two that divides the size",
                      name, bytes, alignment));
    made = own_types().add(name, bytes, alignment);
  });
}

int vnode_type_size(vnode_type type, size_t* bytes) {
  return entry([&] { needed(bytes, "bytes") = element_of(type).bytes; });
}

const char* vnode_type_name(vnode_type type) {
  const auto number = static_cast<int>(type);
  if (number >= 0 && number < standard_types) return by_number[static_cast<std::size_t>(number)].name;
  const ElementType* const own = own_types().find(number);
  return own != nullptr ? own->name.data() : nullptr;
}

uint16_t vnode_f16_from_float(float number) { return float16(number).bits(); }
float vnode_f16_to_float(uint16_t bits) { return float16::from_bits(bits); }
uint16_t vnode_bf16_from_float(float number) { return bfloat16(number).bits(); }
float vnode_bf16_to_float(uint16_t bits) { return bfloat16::from_bits(bits); }
