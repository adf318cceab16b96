#include "c/operator.hpp"

#include <array>
#include <concepts>
#include <deque>
#include <fmt/format.h>
#include <functional>
#include <mutex>
#include <utility>

#include "base/at.hpp"
#include "c/element.hpp"
#include "c/entry.hpp"
#include "c/standard.hpp"

namespace vnode {
namespace {

constexpr auto operator_names = [] {
  std::array<const char*, standard_operators> names{};
  each_standard_operator(
      [&]<class Operator>(vnode_operator op, const char* name) { at(names, op - VNODE_SUM) = name; });
  return names;
}();

/// Standard operators have no state.
template <class Operator>
inline constinit Operator stateless{};

/// Tells whether C offers an operator on T: complex numbers have sums and products alone, bytes nothing.
template <class Operator, class T>
constexpr bool is_offered() {
  if (!standard_match<Operator, T>().found || std::same_as<T, std::byte>) return false;
  if constexpr (Complex<T>)
    return std::same_as<Operator, std::plus<>> || std::same_as<Operator, std::multiplies<>>;
  return Combines<Operator, T>;
}

using OperatorTable = std::array<std::array<FoundOperator, standard_types>, standard_operators>;

const OperatorTable& operators() {
  static const OperatorTable all = [] {
    OperatorTable table{};
    each_standard_operator([&]<class Operator>(vnode_operator op, const char*) {
      each_standard_type([&]<class T>(vnode_type type, const char*) {
        if constexpr (is_offered<Operator, T>())
          at(at(table, op - VNODE_SUM), type) = {&operator_type<T, Operator>, &stateless<Operator>};
      });
    });
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
