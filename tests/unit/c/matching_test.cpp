// Tests probes and matched messages by vnode.h.
#include <array>
#include <cstddef>
#include <doctest/doctest.h>
#include <string>
#include <thread>
#include <vector>

#include <vnode/vnode.h>

#include "received.hpp"
#include "teams.hpp"

using namespace vnode_test;

TEST_CASE("who does not know how much will come asks first") {
  const CTeam team(3);
  for (const std::size_t count : {1u, 100u, 100000u})
    CHECK(wrong(team.run([&](vnode_node* me) {
            const int rank = vnode_group_rank(me);
            if (rank == 1) {
              CHECK(wrong(vnode_barrier(me, nullptr)) == "");
              const std::vector<double> x(count, 1.5);
              return vnode_send(me, x.data(), count, VNODE_F64, 2, 6);
            }
            if (rank == 0) return vnode_barrier(me, nullptr);
            vnode_received there{};
            int found = 1;
            CHECK(wrong(vnode_iprobe(me, VNODE_ANY_SOURCE, VNODE_ANY_TAG, VNODE_F64, &found, &there)) == "");
            CHECK(found == 0);
            CHECK(there == nothing);
            CHECK(wrong(vnode_barrier(me, nullptr)) == "");
            CHECK(wrong(vnode_probe(me, VNODE_ANY_SOURCE, VNODE_ANY_TAG, VNODE_F64, &there)) == "");
            CHECK(there == vnode_received{count, 1, 6});
            CHECK(wrong(vnode_iprobe(me, 1, 6, VNODE_BYTE, &found, &there)) == "");
            CHECK(found == 1);
            CHECK(there == vnode_received{8 * count, 1, 6});
            std::vector<double> x(count);
            CHECK(wrong(vnode_recv(me, x.data(), count, VNODE_F64, there.from, there.tag, nullptr)) == "");
            CHECK(x.back() == 1.5);
            return 0;
          })) == "");
}

TEST_CASE("a matched message belongs to who matched it") {
  const CTeam team(2);
  for (const std::size_t count : {1u, 100u, 100000u})
    CHECK(wrong(team.run([&](vnode_node* me) {
            const std::array<std::vector<int>, 3> data{std::vector<int>(count, 0), std::vector<int>(count, 1),
                                                       std::vector<int>(count, 2)};
            if (vnode_group_rank(me) == 0) {
              std::array<vnode_request*, 3> sent{};
              for (std::size_t i = 0; i < 3; ++i)
                CHECK(wrong(vnode_isend(me, data[i].data(), count, VNODE_I32, 1, 0, &sent[i])) == "");
              return vnode_request_wait_all(sent.data(), 3);
            }
            vnode_matched_message *first = nullptr, *second = nullptr, *none = nullptr;
            vnode_received got{};
            CHECK(wrong(vnode_mprobe(me, 0, 0, VNODE_I32, &first, &got)) == "");
            CHECK(got == vnode_received{count, 0, 0});
            CHECK(wrong(vnode_mprobe(me, VNODE_ANY_SOURCE, VNODE_ANY_TAG, VNODE_I32, &second, nullptr)) ==
                  "");
            std::vector<int> a(count), b(count), c(count);
            CHECK(wrong(vnode_recv(me, c.data(), count, VNODE_I32, 0, 0, nullptr)) == "");
            vnode_request* later = nullptr;
            CHECK(wrong(vnode_matched_message_irecv(&second, b.data(), count, VNODE_I32, &later)) == "");
            CHECK(second == nullptr);
            CHECK(wrong(vnode_matched_message_recv(&first, a.data(), count, VNODE_I32, &got)) == "");
            CHECK(first == nullptr);
            CHECK(got == vnode_received{count, 0, 0});
            CHECK(wrong(vnode_request_wait(&later, &got)) == "");
            CHECK(got == vnode_received{count, 0, 0});
            CHECK(a == data[0]);
            CHECK(b == data[1]);
            CHECK(c == data[2]);
            CHECK(wrong(vnode_improbe(me, VNODE_ANY_SOURCE, VNODE_ANY_TAG, VNODE_I32, &none, &got)) == "");
            CHECK(none == nullptr);
            CHECK(got == nothing);
            CHECK(wrong(vnode_matched_message_free(&none)) == "");
            return 0;
          })) == "");
}

TEST_CASE("a message from nobody is matched and received, or ended") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          int x = 0;
          vnode_received got{};
          vnode_matched_message* message = nullptr;
          CHECK(wrong(vnode_mprobe(me, VNODE_NO_RANK, 0, VNODE_I32, &message, &got)) == "");
          CHECK(got == nothing);
          CHECK(message != nullptr);
          CHECK(wrong(vnode_matched_message_recv(&message, &x, 1, VNODE_I32, &got)) == "");
          CHECK(message == nullptr);
          CHECK(got == nothing);
          CHECK(wrong(vnode_improbe(me, VNODE_NO_RANK, 0, VNODE_I32, &message, nullptr)) == "");
          CHECK(message != nullptr);
          CHECK(wrong(vnode_matched_message_free(&message)) == "");
          CHECK(message == nullptr);
          return 0;
        })) == "");
}

TEST_CASE("arguments and threads that make no sense leave a matched message as it is") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          int x = 5;
          if (vnode_group_rank(me) == 0) return vnode_send(me, &x, 1, VNODE_I32, 1, 0);
          vnode_matched_message *message = nullptr, *none = nullptr;
          CHECK(wrong(vnode_mprobe(me, 0, 0, VNODE_I32, &message, nullptr)) == "");
          int y = 0, received = 0, freed = 0;
          vnode_request* request = nullptr;
          std::thread([&] {
            received = vnode_matched_message_recv(&message, &y, 1, VNODE_I32, nullptr);
            freed = vnode_matched_message_free(&message);
          }).join();
          CHECK(received == VNODE_ERROR_USAGE);
          CHECK(freed == VNODE_ERROR_USAGE);
          CHECK(vnode_matched_message_recv(&message, nullptr, 1, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_matched_message_irecv(&message, &y, 1, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_matched_message_recv(&none, &y, 1, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_matched_message_recv: the vnode_matched_message is NULL");
          CHECK(vnode_mprobe(me, 0, 0, VNODE_I32, nullptr, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_probe(me, 7, 0, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
          CHECK(vnode_iprobe(me, 0, 0, VNODE_I32, nullptr, nullptr) == VNODE_ERROR_USAGE);
          CHECK(message != nullptr);
          CHECK(wrong(vnode_matched_message_irecv(&message, &y, 1, VNODE_I32, &request)) == "");
          CHECK(wrong(vnode_request_wait(&request, nullptr)) == "");
          CHECK(y == 5);
          return 0;
        })) == "");
}

TEST_CASE("a matched message that is too long is a mismatch, and ends") {
  const CTeam team(2);
  CHECK(team.run([](vnode_node* me) {
    std::array<int, 3> x{};
    if (vnode_group_rank(me) == 0) return vnode_send(me, x.data(), 3, VNODE_I32, 1, 0);
    vnode_matched_message* message = nullptr;
    CHECK(vnode_mprobe(me, 0, 0, VNODE_I32, &message, nullptr) == VNODE_OK);
    const int code = vnode_matched_message_recv(&message, x.data(), 2, VNODE_I32, nullptr);
    CHECK(message == nullptr);
    return code;
  }) == VNODE_ERROR_MISMATCH);
}

TEST_CASE("a matched message that is dropped ends the run") {
  const CTeam team(2);
  int other = 0;
  CHECK(team.run([&](vnode_node* me) {
    int x = 0;
    if (vnode_group_rank(me) == 0) {
      CHECK(vnode_send(me, &x, 1, VNODE_I32, 1, 3) == VNODE_OK);
      return other = vnode_recv(me, &x, 1, VNODE_I32, 1, 0, nullptr);
    }
    vnode_matched_message* message = nullptr;
    CHECK(vnode_mprobe(me, 0, 3, VNODE_I32, &message, nullptr) == VNODE_OK);
    CHECK(vnode_matched_message_free(&message) == VNODE_ERROR_USAGE);
    CHECK(std::string(vnode_message()) ==
          "vnode_matched_message_free: the message from node 0 with tag 3 has been matched and not received");
    CHECK(message == nullptr);
    return 0;
  }) == VNODE_ERROR_USAGE);
  CHECK(other == VNODE_ERROR_ABORTED);
  CHECK(std::string(vnode_message()).find("node 1 has dropped a message from node 0 with tag 3") !=
        std::string::npos);
}

TEST_CASE("a matched message outlives its run, and is received no more") {
  const CTeam team(2);
  vnode_matched_message *message = nullptr, *second = nullptr;
  int x = 0;
  CHECK(team.run([&](vnode_node* me) {
    if (vnode_group_rank(me) == 0)
      return vnode_send(me, &x, 1, VNODE_I32, 1, 0) + vnode_send(me, &x, 1, VNODE_I32, 1, 0);
    CHECK(vnode_mprobe(me, 0, 0, VNODE_I32, &message, nullptr) == VNODE_OK);
    CHECK(vnode_mprobe(me, 0, 0, VNODE_I32, &second, nullptr) == VNODE_OK);
    CHECK(vnode_abort(me, 7, "on purpose") == VNODE_OK);
    return 0;
  }) == 7);
  CHECK(vnode_matched_message_free(&message) == VNODE_OK);
  CHECK(message == nullptr);
  CHECK(team.run([&](vnode_node* me) {
    if (vnode_group_rank(me) == 0) return 0;
    CHECK(vnode_matched_message_recv(&second, &x, 1, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
    CHECK(second == nullptr);
    return 0;
  }) == VNODE_OK);
}
