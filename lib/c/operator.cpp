#include "c/operator.hpp"

#include <array>
#include <complex>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <type_traits>

#include "c/element.hpp"
#include "c/entry.hpp"

namespace vnode {
namespace {

constexpr std::array operator_names{"VNODE_SUM",         "VNODE_PRODUCT",      "VNODE_MIN",
                                    "VNODE_MAX",         "VNODE_BIT_AND",      "VNODE_BIT_OR",
                                    "VNODE_BIT_XOR",     "VNODE_LOGICAL_AND",  "VNODE_LOGICAL_OR",
                                    "VNODE_LOGICAL_XOR", "VNODE_MIN_LOCATION", "VNODE_MAX_LOCATION"};
constexpr int standard_operators = static_cast<int>(operator_names.size());

/// Standard operators have no state.
template <class Operator>
inline constinit Operator stateless{};

template <class T>
inline constexpr bool is_complex = is_std_complex<T, float> || is_std_complex<T, double>;

template <class T>
inline constexpr bool is_bits = std::is_integral_v<T>;

using OperatorTable = std::array<std::array<FoundOperator, standard_types>, standard_operators>;

template <class T, class Operator>
void offer(OperatorTable& table, vnode_operator op, vnode_type type) {
  table[static_cast<std::size_t>(op - VNODE_SUM)][static_cast<std::size_t>(type)] = {
      &operator_type<T, Operator>, &stateless<Operator>, nullptr};
}

template <class T>
void offer_for_numbers(OperatorTable& table, vnode_type type) {
  offer<T, std::plus<>>(table, VNODE_SUM, type);
  offer<T, std::multiplies<>>(table, VNODE_PRODUCT, type);
  if constexpr (!is_complex<T>) {
    offer<T, minimum>(table, VNODE_MIN, type);
    offer<T, maximum>(table, VNODE_MAX, type);
    offer<T, std::logical_and<>>(table, VNODE_LOGICAL_AND, type);
    offer<T, std::logical_or<>>(table, VNODE_LOGICAL_OR, type);
    offer<T, logical_xor>(table, VNODE_LOGICAL_XOR, type);
  }
  if constexpr (is_bits<T>) {
    offer<T, std::bit_and<>>(table, VNODE_BIT_AND, type);
    offer<T, std::bit_or<>>(table, VNODE_BIT_OR, type);
    offer<T, std::bit_xor<>>(table, VNODE_BIT_XOR, type);
  }
}

/// Of a number, and of where it was found.
template <class T>
void offer_for(OperatorTable& table, vnode_type type, vnode_type located) {
  offer_for_numbers<T>(table, type);
  offer<Located<T>, minimum_location>(table, VNODE_MIN_LOCATION, located);
  offer<Located<T>, maximum_location>(table, VNODE_MAX_LOCATION, located);
}

const OperatorTable& operators() {
  static const OperatorTable all = [] {
    OperatorTable table{};
    offer_for<std::int8_t>(table, VNODE_I8, VNODE_LOCATED_I8);
    offer_for<std::uint8_t>(table, VNODE_U8, VNODE_LOCATED_U8);
    offer_for<std::int16_t>(table, VNODE_I16, VNODE_LOCATED_I16);
    offer_for<std::uint16_t>(table, VNODE_U16, VNODE_LOCATED_U16);
    offer_for<std::int32_t>(table, VNODE_I32, VNODE_LOCATED_I32);
    offer_for<std::uint32_t>(table, VNODE_U32, VNODE_LOCATED_U32);
    offer_for<std::int64_t>(table, VNODE_I64, VNODE_LOCATED_I64);
    offer_for<std::uint64_t>(table, VNODE_U64, VNODE_LOCATED_U64);
    offer_for<float>(table, VNODE_F32, VNODE_LOCATED_F32);
    offer_for<double>(table, VNODE_F64, VNODE_LOCATED_F64);
    offer_for<float16>(table, VNODE_F16, VNODE_LOCATED_F16);
    offer_for<bfloat16>(table, VNODE_BF16, VNODE_LOCATED_BF16);
    offer_for<long double>(table, VNODE_LONG_DOUBLE, VNODE_LOCATED_LONG_DOUBLE);
    offer_for_numbers<std::complex<float>>(table, VNODE_COMPLEX_F32);
    offer_for_numbers<std::complex<double>>(table, VNODE_COMPLEX_F64);
    offer_for_numbers<bool>(table, VNODE_BOOL);
    return table;
  }();
  return all;
}

/// The operators of the program's own, by number, and their types, which never end: calls that have been
/// planned name them.
///
/// A number is handed out after its place has been written; acquire (b) pairs with release (a).
class OwnOperators {
 public:
  static constexpr int first = 0x40000000, most = 4096, generations = 0x3fffffff / most;

  int add(const vnode_operator_definition& definition) {
    const std::lock_guard lock(mutex_);
    for (int tried = 0; tried < most; ++tried) {
      std::atomic<OwnOperator*>& place = places_[static_cast<std::size_t>(next_)];
      const int at = next_;
      // The oldest place that is free, so that a number that has ended is known as such for long.
      next_ = (next_ + 1) % most;
      if (next_ == 0) generation_ = (generation_ + 1) % generations;
      if (place.load(std::memory_order_relaxed) != nullptr) continue;  // under the lock
      const int number = first + generation_ * most + at;
      const OperatorType& type = type_of(definition.name, definition.commutative != 0);
      place.store(new OwnOperator(definition, type, number), std::memory_order_release);  // (a)
      return number;
    }
    throw WrongArgument(
        fmt::format("{} operators exist, the most at a time: vnode_operator_free() ends one", most));
  }
  /// nullptr: there is none.
  OwnOperator* find(int number) {
    if (number < first) return nullptr;
    OwnOperator* const found =
        places_[static_cast<std::size_t>((number - first) % most)].load(std::memory_order_acquire);  // (b)
    return found != nullptr && found->number() == number ? found : nullptr;
  }
  bool remove(int number) {
    OwnOperator* found = nullptr;
    {
      const std::lock_guard lock(mutex_);
      found = find(number);
      if (found == nullptr) return false;
      // Relaxed: who passes an operator that is being ended has no right to it.
      places_[static_cast<std::size_t>((number - first) % most)].store(nullptr, std::memory_order_relaxed);
    }
    found->give_up();
    return true;
  }

 private:
  struct Named {
    Named(std::string_view called, bool commutative)
        : name(called),
          type{.name = name,
               .hash = hash_of(name),
               .commutative = commutative,
               .reduction =
                   [](void* state) {
                     return Reduction{combine, state};
                   },
               .bytes = sizeof(HeldOperator),
               .alignment = alignof(HeldOperator),
               .move =
                   [](void* to, void* from) {
                     std::construct_at(static_cast<HeldOperator*>(to),
                                       std::move(*static_cast<HeldOperator*>(from)));
                   },
               .destroy = [](void* state) noexcept { std::destroy_at(static_cast<HeldOperator*>(state)); }} {}
    Named(const Named&) = delete;
    static void combine(void* state, void* out, const void* left, const void* right, std::size_t count) {
      (**static_cast<const HeldOperator*>(state)).combine(out, left, right, count);
    }
    std::string name;
    OperatorType type;
  };

  const OperatorType& type_of(std::string_view name, bool commutative) {
    for (const Named& known : types_)
      if (known.name == name && known.type.commutative == commutative) return known.type;
    return types_.emplace_back(name, commutative).type;
  }

  std::mutex mutex_;
  int next_ = 0, generation_ = 0;
  std::deque<Named> types_;
  std::array<std::atomic<OwnOperator*>, most> places_{};
};

/// Never ends: nodes may be at work when the process exits.
OwnOperators& own_operators() {
  static OwnOperators& all = *new OwnOperators;
  return all;
}

bool is_standard(int number) { return number >= VNODE_SUM && number < VNODE_SUM + standard_operators; }

}  // namespace

void OwnOperator::combine(void* out, const void* left, const void* right, std::size_t count) const {
  const int code = definition_.combine(definition_.user, out, left, right, count);
  if (code != 0) throw_code(code, fmt::format("operator {}", type_.name));
}

FoundOperator operator_of(vnode_operator op, vnode_type type) {
  const auto number = static_cast<int>(op), element = static_cast<int>(type);
  if (is_standard(number)) {
    if (element >= 0 && element < standard_types)
      if (const FoundOperator& found =
              operators()[static_cast<std::size_t>(number - VNODE_SUM)][static_cast<std::size_t>(element)];
          found.type != nullptr) [[likely]]
        return found;
    throw WrongArgument(
        fmt::format("{} is not an operator on {}", vnode_operator_name(op), type_name_of(type)));
  }
  if (OwnOperator* const own = own_operators().find(number)) return {&own->type(), nullptr, own};
  if (const char* const name = vnode_type_name(static_cast<vnode_type>(op)))
    throw WrongArgument(fmt::format("the operator is {}, a type", name));
  throw WrongArgument(number >= OwnOperators::first ? std::string("the operator has ended")
                                                    : fmt::format("there is no operator {}", number));
}

}  // namespace vnode

using namespace vnode;

int vnode_operator_create(vnode_operator* op, const vnode_operator_definition* definition) {
  return entry([&] {
    vnode_operator& made = needed(op, "the address of the operator");
    made = {};
    needed(definition, "the definition");
    const auto given = taken(definition, "vnode_operator_definition");
    if (text_or_empty(given.name).empty()) throw WrongArgument("the operator has no name");
    if (given.combine == nullptr) throw WrongArgument(fmt::format("operator {} has no function", given.name));
    made = static_cast<vnode_operator>(own_operators().add(given));
  });
}

int vnode_operator_free(vnode_operator* op) {
  return entry([&] {
    vnode_operator& own = needed(op, "the address of the operator");
    const int number = static_cast<int>(own);
    if (number == 0) return;
    if (!own_operators().remove(number))
      throw WrongArgument(is_standard(number)
                              ? fmt::format("{} is vnode's own", vnode_operator_name(own))
                              : fmt::format("there is no operator {}, or it has ended already", number));
    own = {};
  });
}

const char* vnode_operator_name(vnode_operator op) {
  const int number = static_cast<int>(op);
  if (is_standard(number)) return operator_names[static_cast<std::size_t>(number - VNODE_SUM)];
  const OwnOperator* const own = own_operators().find(number);
  return own != nullptr ? own->type().name.data() : nullptr;
}
