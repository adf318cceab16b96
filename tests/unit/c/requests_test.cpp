// Requests by vnode.h: whose they are, how they are cancelled, and many of them.
#include <array>
#include <cstddef>
#include <cstring>
#include <doctest/doctest.h>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.h>

#include "received.hpp"
#include "teams.hpp"

using namespace vnode_test;

TEST_CASE("a request that is left in flight ends the run, and can be ended afterwards") {
  const CTeam team(2);
  std::array<vnode_request*, 2> left{};
  std::array<double, 2> x{};
  CHECK(team.run([&](vnode_node* me) {
    const int rank = vnode_group_rank(me);
    const auto at = static_cast<std::size_t>(rank);
    return vnode_irecv(me, &x[at], 1, VNODE_F64, 1 - rank, 0, &left[at]);
  }) == VNODE_ERROR_USAGE);
  CHECK(std::string(vnode_message()).find("was not waited for") != std::string::npos);
  CHECK(vnode_request_wait(&left[0], nullptr) == VNODE_ERROR_USAGE);
  CHECK(left[0] == nullptr);
  CHECK(vnode_request_free(&left[1]) == VNODE_OK);
}

TEST_CASE("another thread cannot wait for a node's request, and the request stays") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          double x = 0;
          vnode_request* request = nullptr;
          CHECK(vnode_irecv(me, &x, 1, VNODE_F64, 1 - rank, 0, &request) == VNODE_OK);
          int waited = 0, freed = 0;
          std::thread([&] {
            waited = vnode_request_wait(&request, nullptr);
            freed = vnode_request_free(&request);
          }).join();
          CHECK(waited == VNODE_ERROR_USAGE);
          CHECK(freed == VNODE_ERROR_USAGE);
          CHECK(request != nullptr);
          CHECK(vnode_barrier(me, nullptr) == VNODE_OK);  // nothing is sent before
          const double y = rank;
          CHECK(vnode_send(me, &y, 1, VNODE_F64, 1 - rank, 0) == VNODE_OK);
          CHECK(vnode_request_wait(&request, nullptr) == VNODE_OK);
          CHECK(x == 1 - rank);
          return 0;
        })) == "");
}

TEST_CASE("a receive is cancelled unless a message was matched with it") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          const std::array<int, 2> sent{1, 2};
          if (vnode_group_rank(me) == 0) {
            CHECK(wrong(vnode_barrier(me, nullptr)) == "");
            for (const int& x : sent) CHECK(wrong(vnode_send(me, &x, 1, VNODE_I32, 1, 1)) == "");
            return vnode_barrier(me, nullptr);
          }
          std::array<int, 3> x{};
          std::array<vnode_request*, 3> requests{};
          for (std::size_t i = 0; i < 3; ++i)
            CHECK(wrong(vnode_irecv(me, &x[i], 1, VNODE_I32, i == 1 ? VNODE_ANY_SOURCE : 0, 1,
                                    &requests[i])) == "");
          int cancelled = 0;
          CHECK(wrong(vnode_request_cancel(requests.data(), &cancelled)) == "");
          CHECK(cancelled == 1);
          CHECK(requests[0] == nullptr);
          CHECK(wrong(vnode_request_cancel(requests.data(), &cancelled)) == "");
          CHECK(cancelled == 0);  // there is none any more
          CHECK(wrong(vnode_barrier(me, nullptr)) == "");
          CHECK(wrong(vnode_barrier(me, nullptr)) == "");
          CHECK(wrong(vnode_request_cancel(&requests[1], &cancelled)) == "");
          CHECK(cancelled == 0);
          vnode_received got{};
          CHECK(wrong(vnode_request_wait(&requests[1], &got)) == "");
          CHECK(got == vnode_received{1, 0, 1});
          CHECK(wrong(vnode_request_wait(&requests[2], nullptr)) == "");
          CHECK(x == std::array{0, 1, 2});
          return 0;
        })) == "");
}

TEST_CASE("what is sent or called together cannot be cancelled") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          vnode_request* request = nullptr;
          int cancelled = 1, y = 0;
          CHECK(wrong(vnode_issend(me, &rank, 1, VNODE_I32, 1 - rank, 0, &request)) == "");
          CHECK(vnode_request_cancel(&request, &cancelled) == VNODE_ERROR_USAGE);
          CHECK(cancelled == 0);
          CHECK(wrong(vnode_recv(me, &y, 1, VNODE_I32, 1 - rank, 0, nullptr)) == "");
          CHECK(vnode_request_cancel(nullptr, &cancelled) == VNODE_ERROR_USAGE);
          CHECK(vnode_request_cancel(&request, nullptr) == VNODE_ERROR_USAGE);
          return vnode_request_wait(&request, nullptr);
        })) == "");
}

TEST_CASE("of many requests those are told that are complete, each once") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          for (int i = 0; rank > 0 && i < 2; ++i) {
            CHECK(wrong(vnode_barrier(me, nullptr)) == "");
            CHECK(wrong(vnode_send(me, &rank, 1, VNODE_I32, 0, i)) == "");
          }
          if (rank > 0) return 0;
          std::array<int, 4> x{};
          std::array<vnode_request*, 5> requests{};  // the first is none
          for (int i = 0; i < 4; ++i) {
            const auto at = static_cast<std::size_t>(i);
            CHECK(wrong(vnode_irecv(me, &x[at], 1, VNODE_I32, 1 + i / 2, i % 2, &requests[at + 1])) == "");
          }
          std::vector<int> told(5);
          const auto tell = [&](std::size_t i, const vnode_received& got) {
            CHECK(requests[i] == nullptr);
            CHECK(got == vnode_received{1, static_cast<int>(i + 1) / 2, static_cast<int>(i + 1) % 2});
            ++told[i];
          };
          std::size_t index = 0, complete = 1;
          std::array<std::size_t, 5> indices{};
          std::array<vnode_received, 5> got{};
          int all = 1;
          // Nothing has been sent yet.
          CHECK(wrong(vnode_request_test_any(requests.data(), 5, &index, got.data())) == "");
          CHECK(index == 5);
          CHECK(got[0] == nothing);
          CHECK(wrong(vnode_request_test_some(requests.data(), 5, indices.data(), &complete, got.data())) ==
                "");
          CHECK(complete == 0);
          CHECK(wrong(vnode_request_test_all(requests.data(), 5, &all)) == "");
          CHECK(all == 0);
          CHECK(wrong(vnode_barrier(me, nullptr)) == "");
          CHECK(wrong(vnode_request_wait_any(requests.data(), 5, &index, got.data())) == "");
          tell(index, got[0]);
          CHECK(wrong(vnode_request_wait_some(requests.data(), 5, indices.data(), &complete, got.data())) ==
                "");
          CHECK(complete > 0);
          for (std::size_t i = 0; i < complete; ++i) tell(indices[i], got[i]);
          CHECK(wrong(vnode_barrier(me, nullptr)) == "");
          for (;;) {
            CHECK(wrong(vnode_request_wait_any(requests.data(), 5, &index, got.data())) == "");
            if (index == 5) break;
            tell(index, got[0]);
          }
          CHECK(told == std::vector<int>{0, 1, 1, 1, 1});
          CHECK(wrong(vnode_request_wait_some(requests.data(), 5, indices.data(), &complete, nullptr)) == "");
          CHECK(complete == 0);
          CHECK(wrong(vnode_request_test_all(requests.data(), 5, &all)) == "");
          CHECK(all == 1);
          CHECK(wrong(vnode_request_wait_all(nullptr, 0)) == "");
          return 0;
        })) == "");
}

TEST_CASE("those that are complete end, whether all are or not") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          std::array<vnode_request*, 2> requests{};
          int x = 0, y = 0, all = 1;
          CHECK(wrong(vnode_irecv(me, &x, 1, VNODE_I32, VNODE_NO_RANK, 0, requests.data())) == "");
          CHECK(wrong(vnode_irecv(me, &y, 1, VNODE_I32, 0, 0, &requests[1])) == "");
          CHECK(wrong(vnode_request_test_all(requests.data(), 2, &all)) == "");
          CHECK(all == 0);
          CHECK(requests[0] == nullptr);
          CHECK(requests[1] != nullptr);
          CHECK(wrong(vnode_send(me, &x, 1, VNODE_I32, 0, 0)) == "");
          while (all == 0) CHECK(wrong(vnode_request_test_all(requests.data(), 2, &all)) == "");
          CHECK(requests[1] == nullptr);
          return 0;
        })) == "");
}

TEST_CASE("of several that are complete each is told with what it has received") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          std::array<vnode_request*, 3> requests{};
          std::array<std::size_t, 3> indices{};
          std::array<vnode_received, 3> got{};
          std::size_t complete = 0;
          int x = 0, found = 0;
          CHECK(wrong(vnode_irecv(me, &x, 1, VNODE_I32, VNODE_NO_RANK, 0, requests.data())) == "");
          CHECK(wrong(vnode_irecv(me, &x, 1, VNODE_I32, 0, 8, &requests[1])) == "");
          CHECK(wrong(vnode_irecv(me, &x, 1, VNODE_I32, 0, 9, &requests[2])) == "");
          CHECK(wrong(vnode_send(me, &found, 1, VNODE_I32, 0, 9)) == "");
          // It arrives within any call.
          CHECK(wrong(vnode_iprobe(me, 0, 7, VNODE_I32, &found, nullptr)) == "");
          CHECK(wrong(vnode_request_wait_some(requests.data(), 3, indices.data(), &complete, got.data())) ==
                "");
          CHECK(complete == 2);
          CHECK((indices[0] == 0 && indices[1] == 2));
          CHECK(got[0] == nothing);
          CHECK(got[1] == vnode_received{1, 0, 9});
          int cancelled = 0;
          CHECK(wrong(vnode_request_cancel(&requests[1], &cancelled)) == "");
          CHECK(cancelled == 1);
          return 0;
        })) == "");
}

TEST_CASE("where waiting for one of many fails, all stay and can be ended") {
  const CTeam team(2);
  CHECK(team.run([](vnode_node* me) {
    if (vnode_group_rank(me) == 1) {
      int started = 0;
      CHECK(vnode_recv(me, &started, 1, VNODE_I32, 0, 0, nullptr) == VNODE_OK);
      vnode_set_message("on purpose");
      return 7;
    }
    std::array<int, 2> x{};
    std::array<vnode_request*, 2> requests{};
    std::size_t index = 0;
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(vnode_irecv(me, &x[i], 1, VNODE_I32, 1, 0, &requests[i]) == VNODE_OK);
    const int started = 1;
    CHECK(vnode_send(me, &started, 1, VNODE_I32, 1, 0) == VNODE_OK);
    const int code = vnode_request_wait_any(requests.data(), 2, &index, nullptr);
    CHECK(code == VNODE_ERROR_ABORTED);
    CHECK(index == 2);
    for (vnode_request*& request : requests) {
      CHECK(request != nullptr);
      CHECK(vnode_request_free(&request) == VNODE_OK);
    }
    return code;
  }) == 7);
}

TEST_CASE("lists that make no sense are refused by name") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          std::size_t index = 0, complete = 0;
          vnode_request* requests[1] = {nullptr};
          CHECK(vnode_request_wait_any(nullptr, 1, &index, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) == "vnode_request_wait_any: the list of requests is NULL");
          CHECK(vnode_request_wait_any(requests, 1, nullptr, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_request_test_some(requests, 1, nullptr, &complete, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) == "vnode_request_test_some: the list of indices is NULL");
          CHECK(vnode_request_test_all(requests, 1, nullptr) == VNODE_ERROR_USAGE);
          vnode_node* const node = me;
          std::memcpy(requests, &node, sizeof node);  // as Fortran and Python may pass it
          CHECK(vnode_request_wait_all(requests, 1) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_request_wait_all: expected a vnode_request, got vnode_group");
          return 0;
        })) == "");
}
