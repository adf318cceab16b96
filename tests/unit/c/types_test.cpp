// Tests types and operators by their numbers in vnode.h, and those of the program's own.
#include <algorithm>
#include <array>
#include <atomic>
#include <complex>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>
#include <set>
#include <string>
#include <type_traits>
#include <vector>

#include <vnode/float16.hpp>
#include <vnode/operator.hpp>
#include <vnode/vnode.h>

#include "teams.hpp"

using namespace vnode_test;

namespace {

/// Node r contributes r + 1.
template <class T, class Number = T>
void check_sum(vnode_node* me, vnode_type type) {
  CAPTURE(vnode_type_name(type));
  const int p = vnode_group_size(me);
  T x = static_cast<T>(static_cast<Number>(vnode_group_rank(me) + 1));
  std::size_t bytes = 0;
  CHECK(vnode_type_size(type, &bytes) == VNODE_OK);
  CHECK(bytes == sizeof(T));
  CHECK(wrong(vnode_all_reduce(me, &x, &x, 1, type, VNODE_SUM, nullptr)) == "");
  CHECK(x == static_cast<T>(static_cast<Number>(p * (p + 1) / 2)));
}

template <class T, class Number = T>
void check_number(vnode_node* me, vnode_type type, vnode_type located_type) {
  check_sum<T, Number>(me, type);
  const int p = vnode_group_size(me), rank = vnode_group_rank(me);
  T least = static_cast<T>(static_cast<Number>(rank + 1)), greatest = least;
  CHECK(wrong(vnode_all_reduce(me, &least, &least, 1, type, VNODE_MIN, nullptr)) == "");
  CHECK(wrong(vnode_all_reduce(me, &greatest, &greatest, 1, type, VNODE_MAX, nullptr)) == "");
  CHECK(least == static_cast<T>(static_cast<Number>(1)));
  CHECK(greatest == static_cast<T>(static_cast<Number>(p)));
  vnode::Located<T> best{greatest, rank};
  CHECK(wrong(vnode_all_reduce(me, &best, &best, 1, located_type, VNODE_MIN_LOCATION, nullptr)) == "");
  CHECK(best.index == 0);
  best = {static_cast<T>(static_cast<Number>(rank)), rank};
  CHECK(wrong(vnode_all_reduce(me, &best, &best, 1, located_type, VNODE_MAX_LOCATION, nullptr)) == "");
  CHECK(best.index == p - 1);
}

struct Pair {
  std::int32_t first, second;
};
/// Associative, and not commutative: affine maps x -> first x + second, one after the other, mod 1009.
int compose(void* user, void* out, const void* left, const void* right, size_t count) {
  static_cast<std::atomic<int>*>(user)->fetch_add(static_cast<int>(count));
  const auto* a = static_cast<const Pair*>(left);
  const auto* b = static_cast<const Pair*>(right);
  auto* to = static_cast<Pair*>(out);
  for (std::size_t i = 0; i < count; ++i)
    to[i] = Pair{b[i].first * a[i].first % 1009, (b[i].first * a[i].second + b[i].second) % 1009};
  return 0;
}

int refuse(void* user, void*, const void*, const void*, size_t) {
  vnode_set_message("this operator never works");
  return *static_cast<const int*>(user);
}

}  // namespace

TEST_CASE("every type is summed, and every number has a least, a greatest and their locations") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          check_number<std::int8_t>(me, VNODE_I8, VNODE_LOCATED_I8);
          check_number<std::uint8_t>(me, VNODE_U8, VNODE_LOCATED_U8);
          check_number<std::int16_t>(me, VNODE_I16, VNODE_LOCATED_I16);
          check_number<std::uint16_t>(me, VNODE_U16, VNODE_LOCATED_U16);
          check_number<std::int32_t>(me, VNODE_I32, VNODE_LOCATED_I32);
          check_number<std::uint32_t>(me, VNODE_U32, VNODE_LOCATED_U32);
          check_number<std::int64_t>(me, VNODE_I64, VNODE_LOCATED_I64);
          check_number<std::uint64_t>(me, VNODE_U64, VNODE_LOCATED_U64);
          check_number<float>(me, VNODE_F32, VNODE_LOCATED_F32);
          check_number<double>(me, VNODE_F64, VNODE_LOCATED_F64);
          check_number<vnode::float16, float>(me, VNODE_F16, VNODE_LOCATED_F16);
          check_number<vnode::bfloat16, float>(me, VNODE_BF16, VNODE_LOCATED_BF16);
          check_number<long double>(me, VNODE_LONG_DOUBLE, VNODE_LOCATED_LONG_DOUBLE);
          check_sum<std::complex<float>, float>(me, VNODE_COMPLEX_F32);
          check_sum<std::complex<double>, double>(me, VNODE_COMPLEX_F64);
          check_sum<bool>(me, VNODE_BOOL);
          return 0;
        })) == "");
}

TEST_CASE("every operator computes what its name says") {
  const CTeam team(4);
  CHECK(wrong(team.run([](vnode_node* me) {
          const std::uint32_t own = 1u << vnode_group_rank(me) | 0x10;
          const auto of_all = [&](vnode_operator op, std::uint32_t x) {
            CHECK(wrong(vnode_all_reduce(me, &x, &x, 1, VNODE_U32, op, nullptr)) == "");
            return x;
          };
          const auto rank = static_cast<std::uint32_t>(vnode_group_rank(me));
          CHECK(of_all(VNODE_SUM, rank) == 6);
          CHECK(of_all(VNODE_PRODUCT, rank + 1) == 24);
          CHECK(of_all(VNODE_MIN, rank + 3) == 3);
          CHECK(of_all(VNODE_MAX, rank) == 3);
          CHECK(of_all(VNODE_BIT_AND, own) == 0x10);
          CHECK(of_all(VNODE_BIT_OR, own) == 0x1f);
          CHECK(of_all(VNODE_BIT_XOR, own) == 0xf);
          CHECK(of_all(VNODE_LOGICAL_AND, rank) == 0);
          CHECK(of_all(VNODE_LOGICAL_AND, rank + 1) == 1);
          CHECK(of_all(VNODE_LOGICAL_OR, rank) == 1);
          CHECK(of_all(VNODE_LOGICAL_XOR, rank) == 1);
          CHECK(of_all(VNODE_LOGICAL_XOR, rank / 2) == 0);
          return 0;
        })) == "");
}

TEST_CASE("what is no operator on a type is refused by names, and so are numbers that are mixed up") {
  const CTeam team(1);
  const auto told = [&](vnode_type type, vnode_operator op) {
    std::string sentence;
    CHECK(team.run([&](vnode_node* me) {
      std::array<long double, 4> x{};
      CHECK(vnode_all_reduce(me, x.data(), x.data(), 1, type, op, nullptr) == VNODE_ERROR_USAGE);
      sentence = vnode_message();
      return 0;
    }) == VNODE_OK);
    return sentence;
  };
  CHECK(told(VNODE_F64, VNODE_BIT_OR) == "vnode_all_reduce: VNODE_BIT_OR is not an operator on VNODE_F64");
  CHECK(told(VNODE_COMPLEX_F64, VNODE_MIN) ==
        "vnode_all_reduce: VNODE_MIN is not an operator on VNODE_COMPLEX_F64");
  CHECK(told(VNODE_BYTE, VNODE_SUM) == "vnode_all_reduce: VNODE_SUM is not an operator on VNODE_BYTE");
  CHECK(told(VNODE_LOCATED_F32, VNODE_MAX) ==
        "vnode_all_reduce: VNODE_MAX is not an operator on VNODE_LOCATED_F32");
  CHECK(told(static_cast<vnode_type>(VNODE_SUM), VNODE_SUM) ==
        "vnode_all_reduce: the type is VNODE_SUM, an operator");
  CHECK(told(VNODE_F64, static_cast<vnode_operator>(VNODE_F32)) ==
        "vnode_all_reduce: the operator is VNODE_F32, a type");
  CHECK(told(static_cast<vnode_type>(99), VNODE_SUM) == "vnode_all_reduce: there is no type 99");
  CHECK(told(VNODE_F64, static_cast<vnode_operator>(0)) == "vnode_all_reduce: there is no operator 0");
}

TEST_CASE("any int that C passes as a type or an operator is looked at, and refused") {
  // Otherwise C++ must not even look at negative ones.
  CHECK(std::is_signed_v<std::underlying_type_t<vnode_type>>);
  CHECK(std::is_signed_v<std::underlying_type_t<vnode_operator>>);
  for (const int number : {-1, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()}) {
    const auto type = static_cast<vnode_type>(number);
    const auto op = static_cast<vnode_operator>(number);
    std::size_t bytes = 0;
    CHECK(vnode_type_size(type, &bytes) == VNODE_ERROR_USAGE);
    CHECK(vnode_message() == "vnode_type_size: there is no type " + std::to_string(number));
    CHECK(vnode_type_name(type) == nullptr);
    CHECK(vnode_operator_name(op) == nullptr);
    const CTeam team(1);
    CHECK(wrong(team.run([&](vnode_node* me) {
            double x = 0;
            vnode_request* request = nullptr;
            const vnode_piece piece{&x, 1, nullptr};
            CHECK(vnode_all_reduce(me, &x, &x, 1, type, VNODE_SUM, nullptr) == VNODE_ERROR_USAGE);
            CHECK(vnode_all_reduce(me, &x, &x, 1, VNODE_F64, op, nullptr) == VNODE_ERROR_USAGE);
            CHECK(vnode_isend(me, &x, 1, type, 0, 0, &request) == VNODE_ERROR_USAGE);
            CHECK(vnode_send_piece(me, &piece, type, 0, 0) == VNODE_ERROR_USAGE);
            CHECK(vnode_exchange(me, &x, &x, 1, type, nullptr) == VNODE_ERROR_USAGE);
            return 0;
          })) == "");
  }
}

TEST_CASE("types and operators have names, none twice, and their numbers are apart") {
  std::set<std::string> names;
  int types = 0, operators = 0;
  for (int number = 0; number < 200; ++number) {
    const char* const type = vnode_type_name(static_cast<vnode_type>(number));
    const char* const op = vnode_operator_name(static_cast<vnode_operator>(number));
    CHECK((type == nullptr || op == nullptr));
    if (type != nullptr) CHECK(names.insert(type).second);
    if (op != nullptr) CHECK(names.insert(op).second);
    types += type != nullptr;
    operators += op != nullptr;
  }
  CHECK(types == 30);
  CHECK(operators == 12);
}

TEST_CASE("floats of 16 bits are made and read") {
  CHECK(vnode_f16_to_float(vnode_f16_from_float(1.5F)) == 1.5F);
  CHECK(vnode_bf16_to_float(vnode_bf16_from_float(-3.0F)) == -3.0F);
  CHECK(vnode_f16_from_float(1.0F) == 0x3c00);
  CHECK(vnode_bf16_from_float(1.0F) == 0x3f80);
}

TEST_CASE("an operator of the program's own combines elements of its own type in the order of ranks") {
  std::atomic<int> combined{0};
  vnode_operator_definition definition{sizeof definition, "compose", compose, &combined, nullptr, 0};
  vnode_operator op{};
  REQUIRE(vnode_operator_create(&op, &definition) == VNODE_OK);
  CHECK(std::string(vnode_operator_name(op)) == "compose");
  vnode_type pair{}, again{};
  REQUIRE(vnode_type_register("Pair", sizeof(Pair), alignof(Pair), &pair) == VNODE_OK);
  CHECK(vnode_type_register("Pair", sizeof(Pair), alignof(Pair), &again) == VNODE_OK);
  CHECK(pair == again);
  CHECK(std::string(vnode_type_name(pair)) == "Pair");
  for (const int nodes : {2, 3, 8, 13}) {
    const CTeam team(nodes);
    Pair expected{1, 0};
    for (int r = 0; r < nodes; ++r) {
      const Pair own{r + 2, r + 5};
      compose(&combined, &expected, &expected, &own, 1);
    }
    combined = 0;
    CHECK(wrong(team.run([&](vnode_node* me) {
            const int r = vnode_group_rank(me);
            std::vector<Pair> x(300, Pair{r + 2, r + 5});
            CHECK(wrong(vnode_all_reduce(me, x.data(), x.data(), x.size(), pair, op, nullptr)) == "");
            for (const Pair& one : x) CHECK((one.first == expected.first && one.second == expected.second));
            return 0;
          })) == "");
    CHECK(combined >= 300);
  }
  CHECK(vnode_operator_free(&op) == VNODE_OK);
  CHECK(static_cast<int>(op) == 0);
}

TEST_CASE("an operator is released once, when no call needs it any more") {
  static std::atomic<int> released{0};
  released = 0;
  std::atomic<int> combined{0};
  vnode_operator_definition definition{sizeof definition,         "compose", compose, &combined,
                                       [](void*) { ++released; }, 0};
  vnode_operator op{};
  REQUIRE(vnode_operator_create(&op, &definition) == VNODE_OK);
  vnode_type pair{};
  REQUIRE(vnode_type_register("Pair", sizeof(Pair), alignof(Pair), &pair) == VNODE_OK);
  const CTeam team(2);
  CHECK(wrong(team.run([&](vnode_node* me) {
          Pair x{1, 1};
          vnode_persistent* planned = nullptr;
          CHECK(vnode_all_reduce_persistent(me, &x, &x, 1, pair, op, nullptr, &planned) == VNODE_OK);
          CHECK(vnode_barrier(me, nullptr) == VNODE_OK);
          if (vnode_group_rank(me) == 0) {
            vnode_operator ended = op;
            CHECK(vnode_operator_free(&ended) == VNODE_OK);
          }
          CHECK(vnode_barrier(me, nullptr) == VNODE_OK);
          CHECK(released == 0);
          CHECK(vnode_persistent_start(planned) == VNODE_OK);
          CHECK(wrong(vnode_persistent_wait(planned)) == "");
          CHECK(x.second == 2);
          CHECK(vnode_all_reduce(me, &x, &x, 1, pair, op, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) == "vnode_all_reduce: the operator has ended");
          CHECK(vnode_persistent_free(&planned) == VNODE_OK);
          return 0;
        })) == "");
  CHECK(released == 1);
  CHECK(vnode_operator_free(&op) == VNODE_ERROR_USAGE);
}

TEST_CASE("an operator that fails ends the run, by its code and sentence") {
  static int code = 42;
  vnode_operator_definition definition{sizeof definition, "refuse", refuse, &code, nullptr, 1};
  vnode_operator op{};
  REQUIRE(vnode_operator_create(&op, &definition) == VNODE_OK);
  const CTeam team(3);
  CHECK(team.run([&](vnode_node* me) {
    double x = 1;
    return vnode_all_reduce(me, &x, &x, 1, VNODE_F64, op, nullptr);
  }) == 42);
  CHECK(std::string(vnode_message()) == "this operator never works");
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
  CHECK(vnode_operator_free(&op) == VNODE_OK);
}

namespace {

vnode_node* node_of_operator[2];

/// Calls the node whose call it combines for.
int call_own_node(void* codes, void*, const void*, const void*, size_t) {
  int* const code = static_cast<int*>(codes);
  int by_any = VNODE_OK;
  for (vnode_node* const me : node_of_operator) {
    double x = 1;
    const int refused = vnode_all_reduce(me, &x, &x, 1, VNODE_F64, VNODE_SUM, nullptr);
    CHECK(refused == VNODE_ERROR_USAGE);
    if (std::string(vnode_message()).find("is used within a call of its own") != std::string::npos)
      by_any = refused;
  }
  CHECK(by_any == VNODE_ERROR_USAGE);
  return *code == 0 ? 0 : by_any;
}

}  // namespace

TEST_CASE("an operator that calls its own node is refused there, and ends the run or goes on") {
  static int code = 0;
  vnode_operator_definition definition{sizeof definition, "call", call_own_node, &code, nullptr, 1};
  vnode_operator op{};
  REQUIRE(vnode_operator_create(&op, &definition) == VNODE_OK);
  const CTeam team(2);
  for (code = 0; code < 2; ++code)
    for (const size_t count : {1u, 20000u}) {
      const int ended = team.run([&](vnode_node* me) {
        node_of_operator[vnode_group_rank(me)] = me;
        if (const int failed = vnode_barrier(me, nullptr); failed != VNODE_OK) return failed;
        std::vector<double> x(count, 1);
        return vnode_all_reduce(me, x.data(), x.data(), count, VNODE_F64, op, nullptr);
      });
      CHECK(ended == (code == 0 ? VNODE_OK : VNODE_ERROR_USAGE));
    }
  CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
  CHECK(vnode_operator_free(&op) == VNODE_OK);
}

TEST_CASE("more operators than there is room for are refused, and numbers come back late") {
  vnode_operator_definition definition{sizeof definition, "compose", compose, nullptr, nullptr, 0};
  std::vector<vnode_operator> all;
  vnode_operator op{};
  while (vnode_operator_create(&op, &definition) == VNODE_OK) all.push_back(op);
  CHECK(all.size() == 4096);
  CHECK(std::string(vnode_message()).find("4096 operators exist") != std::string::npos);
  for (vnode_operator& one : all) CHECK(vnode_operator_free(&one) == VNODE_OK);
  REQUIRE(vnode_operator_create(&op, &definition) == VNODE_OK);
  CHECK(vnode_operator_free(&op) == VNODE_OK);
}

TEST_CASE("definitions that make no sense are refused") {
  vnode_operator op{};
  vnode_operator_definition definition{};
  CHECK(vnode_operator_create(&op, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_operator_create(&op, &definition) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("size of vnode_operator_definition is 0") != std::string::npos);
  definition.size = sizeof definition;
  CHECK(vnode_operator_create(&op, &definition) == VNODE_ERROR_USAGE);
  definition.name = "nothing";
  CHECK(vnode_operator_create(&op, &definition) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()) == "vnode_operator_create: operator nothing has no function");
  op = VNODE_SUM;
  CHECK(vnode_operator_free(&op) == VNODE_ERROR_USAGE);
  vnode_type type{};
  CHECK(vnode_type_register("three", 3, 2, &type) == VNODE_ERROR_USAGE);
  CHECK(vnode_type_register("", 4, 4, &type) == VNODE_ERROR_USAGE);
  CHECK(vnode_type_register("x", 4, 4, nullptr) == VNODE_ERROR_USAGE);
}
