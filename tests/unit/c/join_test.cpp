// Tests threads of the program as nodes, by vnode.h.
#include <atomic>
#include <doctest/doctest.h>
#include <pthread.h>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.h>

#include "teams.hpp"

using namespace vnode_test;

namespace {

vnode_team_options of_callers() {
  vnode_team_options options{};
  options.threads = VNODE_THREADS_CALLERS;
  return options;
}

/// Returns whether a thread has joined, and waits for the others or is a node.
bool somebody_has_joined(const vnode_team* team) {
  vnode_roll_call* state = nullptr;
  REQUIRE(wrong(vnode_team_state(team, &state)) == "");
  const int in_run = vnode_roll_call_in_run(state);
  REQUIRE(wrong(vnode_roll_call_free(&state)) == "");
  return in_run == 1;
}

}  // namespace

TEST_CASE("threads join by rank or as the next, call, leave and join again") {
  const CTeam team(4, "ring", of_callers());
  for (int run = 0; run < 3; ++run)
    for (const auto& [code, sentence] : team.join([](vnode_membership**membership, vnode_node*me) {
           vnode_node* same = nullptr;
           CHECK(vnode_membership_node(*membership, &same) == VNODE_OK);
           CHECK(same == me);
           int sum = vnode_group_rank(me);
           const int failed = vnode_all_reduce(me, &sum, &sum, 1, VNODE_I32, VNODE_SUM, nullptr);
           CHECK(sum == 6);
           return failed;
         }))
      CHECK(sentence == "");
  std::atomic<int> sum{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      vnode_membership* membership = nullptr;
      vnode_node* me = nullptr;
      CHECK(wrong(vnode_team_join(team, VNODE_ANY_RANK, &membership, &me)) == "");
      sum += vnode_group_rank(me);
      CHECK(wrong(vnode_membership_leave(&membership)) == "");
      CHECK(membership == nullptr);
      CHECK(vnode_membership_leave(&membership) == VNODE_OK);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == 6);
}

TEST_CASE("a thread that fails aborts its membership, and the others are told why") {
  const CTeam team(3, nullptr, of_callers());
  const auto told = team.join([](vnode_membership** membership, vnode_node* me) {
    if (vnode_group_rank(me) != 1) return vnode_barrier(me, nullptr);
    CHECK(vnode_membership_abort(membership, "thread 1 has no input") == VNODE_OK);
    CHECK(*membership == nullptr);
    return 0;
  });
  CHECK(told[0].first == VNODE_ERROR_ABORTED);
  CHECK(told[0].second == "node 1 has failed: thread 1 has no input");
  CHECK(told[1].first == VNODE_OK);
  CHECK(told[2].first == VNODE_ERROR_ABORTED);
  for (const auto& [code, sentence] :
       team.join([](vnode_membership**, vnode_node* me) { return vnode_barrier(me, nullptr); }))
    CHECK(sentence == "");
}

TEST_CASE("joining what is run, running what is joined, and ranks that are none are refused") {
  const CTeam joined(2, nullptr, of_callers()), run(2);
  vnode_membership* membership = nullptr;
  CHECK(vnode_team_join(run, 0, &membership, nullptr) == VNODE_ERROR_USAGE);
  CHECK(membership == nullptr);
  CHECK(joined.run([](vnode_node*) { return 0; }) == VNODE_ERROR_USAGE);
  CHECK(vnode_team_join(joined, 2, &membership, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_team_join(joined, -2, &membership, nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_team_join(joined, 0, nullptr, nullptr) == VNODE_ERROR_USAGE);
}

TEST_CASE("a team is not freed while threads are joined or wait for others to join, and is kept") {
  vnode_team_options options = of_callers();
  options.size = sizeof options;
  options.time_limit = 60;
  vnode_team* team = nullptr;
  REQUIRE(wrong(vnode_team_create(&team, 2, nullptr, &options)) == "");
  const auto refuse = [&] {
    const int code = vnode_team_free(&team);
    CHECK(team != nullptr);
    return code == VNODE_ERROR_USAGE &&
           std::string(vnode_message()) ==
               "vnode_team_free() while threads are joined: call it before the first joins or after the last "
               "has left";
  };
  std::thread other([&] {
    vnode_membership* membership = nullptr;
    CHECK(wrong(vnode_team_join(team, 1, &membership, nullptr)) == "");
    CHECK(wrong(vnode_membership_leave(&membership)) == "");
  });
  while (!somebody_has_joined(team)) std::this_thread::yield();
  CHECK(refuse());  // it waits
  vnode_membership* membership = nullptr;
  CHECK(wrong(vnode_team_join(team, 0, &membership, nullptr)) == "");
  CHECK(refuse());
  other.join();
  CHECK(refuse());  // one is left
  CHECK(wrong(vnode_membership_leave(&membership)) == "");
  CHECK(wrong(vnode_team_free(&team)) == "");
  CHECK(team == nullptr);
}

TEST_CASE("who does not come is named") {
  vnode_team_options options = of_callers();
  options.time_limit = 0.02;
  const CTeam team(2, nullptr, options);
  vnode_membership* membership = nullptr;
  CHECK(vnode_team_join(team, 0, &membership, nullptr) == VNODE_ERROR_TIME_LIMIT);
  CHECK(std::string(vnode_message()).find("node 1") != std::string::npos);
  CHECK(membership == nullptr);
}

TEST_CASE("another thread cannot leave for a node, and a request in flight is told when its node leaves") {
  const CTeam team(2, nullptr, of_callers());
  const auto told = team.join([](vnode_membership** membership, vnode_node* me) {
    int left = 0;
    std::thread([&] { left = vnode_membership_leave(membership); }).join();
    CHECK(left == VNODE_ERROR_USAGE);
    CHECK(*membership != nullptr);
    if (const int code = vnode_barrier(me, nullptr); code != VNODE_OK) return code;
    static double x = 0;
    if (vnode_group_rank(me) != 0) return VNODE_OK + 0;
    vnode_request* request = nullptr;
    CHECK(vnode_irecv(me, &x, 1, VNODE_F64, 1, 0, &request) == VNODE_OK);
    CHECK(vnode_membership_leave(membership) == VNODE_ERROR_USAGE);
    CHECK(std::string(vnode_message()).find("was not waited for") != std::string::npos);
    CHECK(*membership == nullptr);
    CHECK(vnode_request_free(&request) == VNODE_OK);
    return 0;
  });
  CHECK(told[0].first == VNODE_OK);
}

TEST_CASE("a thread of a team that ends in its body or in an operator ends the run") {
  static thread_local bool ends = false;
  vnode_operator_definition definition{sizeof definition,
                                       "end",
                                       [](void*, void*, const void*, const void*, size_t) {
                                         if (ends) pthread_exit(nullptr);
                                         return 0;
                                       },
                                       nullptr,
                                       nullptr,
                                       1};
  vnode_operator op{};
  REQUIRE(wrong(vnode_operator_create(&op, &definition)) == "");
  const CTeam team(2);
  for (const bool in_operator : {false, true}) {
    const int code = team.run([&](vnode_node* me) {
      ends = vnode_group_rank(me) == 1;
      if (ends && !in_operator) pthread_exit(nullptr);
      double x = 1;
      return vnode_all_reduce(me, &x, &x, 1, VNODE_F64, op, nullptr);
    });
    CHECK(wrong(code) == std::string("VNODE_ERROR_ABORTED: node 1's thread has ended within ") +
                             (in_operator ? "a call" : "its part of the run"));
    CHECK(team.run([](vnode_node* me) { return vnode_barrier(me, nullptr); }) == VNODE_OK);
  }
  CHECK(wrong(vnode_operator_free(&op)) == "");
}

TEST_CASE("an operator of a thread that has joined is refused its own node, and cannot leave it") {
  struct Own {
    vnode_membership* membership;
    vnode_node* node;
  };
  static thread_local Own own;
  vnode_operator_definition definition{sizeof definition,
                                       "leave",
                                       [](void*, void*, const void*, const void*, size_t) {
                                         CHECK(vnode_barrier(own.node, nullptr) == VNODE_ERROR_USAGE);
                                         return vnode_membership_leave(&own.membership);
                                       },
                                       nullptr,
                                       nullptr,
                                       1};
  vnode_operator op{};
  REQUIRE(wrong(vnode_operator_create(&op, &definition)) == "");
  const CTeam team(2, nullptr, of_callers());
  std::string told;
  for (const auto& [code, sentence] : team.join([&](vnode_membership**membership, vnode_node*me) {
         own = {*membership, me};
         std::vector<double> x(20000, 1);
         const int failed = vnode_all_reduce(me, x.data(), x.data(), x.size(), VNODE_F64, op, nullptr);
         CHECK(own.membership == *membership);
         return failed;
       }))
    told += sentence;
  CHECK(told.find("is used within a call of its own") != std::string::npos);
  for (const auto& [code, sentence] :
       team.join([](vnode_membership**, vnode_node* me) { return vnode_barrier(me, nullptr); }))
    CHECK(sentence == "");
  CHECK(wrong(vnode_operator_free(&op)) == "");
}

TEST_CASE("a thread that ends without leaving ends the run of the others, and its handle can be freed") {
  const CTeam team(2, nullptr, of_callers());
  for (const bool by_exit : {false, true}) {
    vnode_membership* kept = nullptr;
    std::thread ends([&] {
      vnode_node* me = nullptr;
      CHECK(wrong(vnode_team_join(team, 1, &kept, &me)) == "");
      CHECK(wrong(vnode_barrier(me, nullptr)) == "");
      if (by_exit) pthread_exit(nullptr);
    });
    vnode_membership* membership = nullptr;
    vnode_node* me = nullptr;
    CHECK(wrong(vnode_team_join(team, 0, &membership, &me)) == "");
    int code = VNODE_OK;
    while (code == VNODE_OK) code = vnode_barrier(me, nullptr);
    CHECK(wrong(code) == "VNODE_ERROR_ABORTED: node 1's thread has ended without leaving");
    CHECK(wrong(vnode_membership_leave(&membership)) == "");
    ends.join();
    CHECK(wrong(vnode_membership_leave(&kept)) == "");
    for (const auto& [joined, sentence] :
         team.join([](vnode_membership**, vnode_node* node) { return vnode_barrier(node, nullptr); }))
      CHECK(sentence == "");
  }
}
