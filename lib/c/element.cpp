#include "c/element.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <complex>
#include <cstddef>
#include <deque>
#include <fmt/format.h>
#include <mutex>
#include <string>

#include <vnode/c/operator.h>
#include <vnode/float16.hpp>
#include <vnode/operator.hpp>

#include "c/entry.hpp"

namespace vnode {
namespace {

struct TypeRow {
  vnode_type type;
  const char* name;
  const ElementType* element;
};

constexpr std::array type_rows{
    TypeRow{VNODE_I8, "VNODE_I8", &element_type<std::int8_t>},
    TypeRow{VNODE_U8, "VNODE_U8", &element_type<std::uint8_t>},
    TypeRow{VNODE_I16, "VNODE_I16", &element_type<std::int16_t>},
    TypeRow{VNODE_U16, "VNODE_U16", &element_type<std::uint16_t>},
    TypeRow{VNODE_I32, "VNODE_I32", &element_type<std::int32_t>},
    TypeRow{VNODE_U32, "VNODE_U32", &element_type<std::uint32_t>},
    TypeRow{VNODE_I64, "VNODE_I64", &element_type<std::int64_t>},
    TypeRow{VNODE_U64, "VNODE_U64", &element_type<std::uint64_t>},
    TypeRow{VNODE_F32, "VNODE_F32", &element_type<float>},
    TypeRow{VNODE_F64, "VNODE_F64", &element_type<double>},
    TypeRow{VNODE_F16, "VNODE_F16", &element_type<float16>},
    TypeRow{VNODE_BF16, "VNODE_BF16", &element_type<bfloat16>},
    TypeRow{VNODE_LONG_DOUBLE, "VNODE_LONG_DOUBLE", &element_type<long double>},
    TypeRow{VNODE_COMPLEX_F32, "VNODE_COMPLEX_F32", &element_type<std::complex<float>>},
    TypeRow{VNODE_COMPLEX_F64, "VNODE_COMPLEX_F64", &element_type<std::complex<double>>},
    TypeRow{VNODE_BOOL, "VNODE_BOOL", &element_type<bool>},
    TypeRow{VNODE_BYTE, "VNODE_BYTE", &element_type<std::byte>},
    TypeRow{VNODE_LOCATED_I8, "VNODE_LOCATED_I8", &element_type<Located<std::int8_t>>},
    TypeRow{VNODE_LOCATED_U8, "VNODE_LOCATED_U8", &element_type<Located<std::uint8_t>>},
    TypeRow{VNODE_LOCATED_I16, "VNODE_LOCATED_I16", &element_type<Located<std::int16_t>>},
    TypeRow{VNODE_LOCATED_U16, "VNODE_LOCATED_U16", &element_type<Located<std::uint16_t>>},
    TypeRow{VNODE_LOCATED_I32, "VNODE_LOCATED_I32", &element_type<Located<std::int32_t>>},
    TypeRow{VNODE_LOCATED_U32, "VNODE_LOCATED_U32", &element_type<Located<std::uint32_t>>},
    TypeRow{VNODE_LOCATED_I64, "VNODE_LOCATED_I64", &element_type<Located<std::int64_t>>},
    TypeRow{VNODE_LOCATED_U64, "VNODE_LOCATED_U64", &element_type<Located<std::uint64_t>>},
    TypeRow{VNODE_LOCATED_F32, "VNODE_LOCATED_F32", &element_type<Located<float>>},
    TypeRow{VNODE_LOCATED_F64, "VNODE_LOCATED_F64", &element_type<Located<double>>},
    TypeRow{VNODE_LOCATED_F16, "VNODE_LOCATED_F16", &element_type<Located<float16>>},
    TypeRow{VNODE_LOCATED_BF16, "VNODE_LOCATED_BF16", &element_type<Located<bfloat16>>},
    TypeRow{VNODE_LOCATED_LONG_DOUBLE, "VNODE_LOCATED_LONG_DOUBLE", &element_type<Located<long double>>},
};

constexpr auto by_number = [] {
  std::array<TypeRow, standard_types> rows{};
  for (const TypeRow& row : type_rows) rows[static_cast<std::size_t>(row.type)] = row;
  return rows;
}();

static_assert(sizeof(Located<bfloat16>) == sizeof(vnode_located_bf16) &&
              sizeof(Located<long double>) == sizeof(vnode_located_long_double) &&
              sizeof(Located<std::int8_t>) == sizeof(vnode_located_i8));

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
