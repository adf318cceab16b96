// Messages between two nodes by vnode.h.
#include <array>
#include <doctest/doctest.h>
#include <numeric>
#include <string>
#include <vector>

#include <vnode/vnode.h>

#include "received.hpp"
#include "teams.hpp"

using namespace vnode_test;

TEST_CASE("messages are sent, received and exchanged, and tell their length, sender and tag") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me), next = (rank + 1) % 3, before = (rank + 2) % 3;
          const std::array<int, 2> out{rank, rank};
          std::array<int, 4> in{};
          vnode_received received{};
          CHECK(vnode_sendrecv(me, out.data(), 2, next, in.data(), 4, before, VNODE_I32, 1, &received) ==
                VNODE_OK);
          CHECK((received.count == 2 && received.from == before && received.tag == 1));
          CHECK(in[1] == before);
          vnode_request* coming = nullptr;
          vnode_request* going = nullptr;
          CHECK(vnode_irecv(me, in.data(), 4, VNODE_I32, before, 7, &coming) == VNODE_OK);
          CHECK(vnode_isend(me, out.data(), 1, VNODE_I32, next, 7, &going) == VNODE_OK);
          int complete = 0;
          while (complete == 0) CHECK(vnode_request_test(&coming, &complete, &received) == VNODE_OK);
          CHECK(coming == nullptr);
          CHECK((received.count == 1 && received.from == before && received.tag == 7));
          CHECK(vnode_request_wait(&going, &received) == VNODE_OK);
          CHECK((received.count == 0 && received.from == VNODE_NO_RANK && received.tag == VNODE_ANY_TAG));
          if (rank == 0) CHECK(vnode_send(me, out.data(), 2, VNODE_I32, 1, 0) == VNODE_OK);
          if (rank == 1) CHECK(vnode_recv(me, in.data(), 2, VNODE_I32, 0, 0, nullptr) == VNODE_OK);
          return 0;
        })) == "");
}

TEST_CASE("a receive from any source with any tag says what it got") {
  const CTeam team(4);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          if (rank > 0) return vnode_send(me, std::vector<int>(5, rank).data(), 5, VNODE_I32, 0, 10 + rank);
          std::array<int, 4> seen{1};
          for (int i = 1; i < 4; ++i) {
            std::array<int, 9> x{};
            vnode_received got{};
            CHECK(wrong(vnode_recv(me, x.data(), 9, VNODE_I32, VNODE_ANY_SOURCE, VNODE_ANY_TAG, &got)) == "");
            CHECK(got == vnode_received{5, x[0], 10 + x[0]});
            seen.at(static_cast<std::size_t>(x[0])) += 1;
          }
          CHECK(seen == std::array{1, 1, 1, 1});
          return 0;
        })) == "");
}

TEST_CASE("a receive in flight from any source says what it got") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me);
          const double x = rank;
          if (rank == 2) return vnode_send(me, &x, 1, VNODE_F64, 0, 9);
          if (rank == 1) return 0;
          double y = 0;
          vnode_request* request = nullptr;
          vnode_received got{};
          CHECK(wrong(vnode_irecv(me, &y, 1, VNODE_F64, VNODE_ANY_SOURCE, VNODE_ANY_TAG, &request)) == "");
          CHECK(wrong(vnode_request_wait(&request, &got)) == "");
          CHECK(got == vnode_received{1, 2, 9});
          CHECK(y == 2);
          return 0;
        })) == "");
}

TEST_CASE("what a layout picks is received from any source, too") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          const std::array<int, 2> x{1, 2};
          const int rank = vnode_group_rank(me);
          if (rank == 2) return vnode_send(me, x.data(), 2, VNODE_I32, 0, 9);
          if (rank == 1) return 0;
          std::array<int, 5> y{};
          vnode_layout* every_other = nullptr;
          CHECK(wrong(vnode_layout_vector(&every_other, 3, 1, 2, nullptr)) == "");
          const vnode_piece piece{y.data(), 3, every_other};
          vnode_received got{};
          CHECK(wrong(vnode_recv_piece(me, &piece, VNODE_I32, VNODE_ANY_SOURCE, VNODE_ANY_TAG, &got)) == "");
          CHECK(got == vnode_received{2, 2, 9});
          CHECK(y == std::array{1, 0, 2, 0, 0});
          return vnode_layout_free(&every_other);
        })) == "");
}

TEST_CASE("messages are exchanged with two tags, and from any source") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me), next = (rank + 1) % 3, before = (rank + 2) % 3;
          int in = -1;
          vnode_received got{};
          CHECK(wrong(vnode_sendrecv_tags(me, &rank, 1, next, rank, &in, 1, before, before, VNODE_I32,
                                          &got)) == "");
          CHECK(in == before);
          CHECK(got == vnode_received{1, before, before});
          CHECK(wrong(vnode_sendrecv_tags(me, &rank, 1, next, rank, &in, 1, before, VNODE_ANY_TAG, VNODE_I32,
                                          &got)) == "");
          CHECK(got == vnode_received{1, before, before});
          CHECK(wrong(vnode_sendrecv(me, &rank, 1, before, &in, 1, VNODE_ANY_SOURCE, VNODE_I32, 4, &got)) ==
                "");
          CHECK(in == next);
          CHECK(got == vnode_received{1, next, 4});
          return 0;
        })) == "");
}

TEST_CASE("what arrives replaces what was sent") {
  const CTeam team(3);
  for (const std::size_t count : {1u, 2000u})
    CHECK(wrong(team.run([&](vnode_node* me) {
            const int rank = vnode_group_rank(me), next = (rank + 1) % 3, before = (rank + 2) % 3;
            std::vector<double> data(count, rank);
            vnode_received got{};
            CHECK(wrong(vnode_sendrecv_replace(me, data.data(), count, VNODE_F64, next, rank, before, before,
                                               &got)) == "");
            CHECK(data == std::vector<double>(count, before));
            CHECK(got == vnode_received{count, before, before});
            return 0;
          })) == "");
}

TEST_CASE("nobody takes everything and gives nothing") {
  const CTeam team(3);
  CHECK(wrong(team.run([](vnode_node* me) {
          // A shift without a ring: the ends have a neighbour that is none.
          const int rank = vnode_group_rank(me);
          const int left = rank > 0 ? rank - 1 : VNODE_NO_RANK, right = rank < 2 ? rank + 1 : VNODE_NO_RANK;
          int in = -1;
          vnode_received got{};
          CHECK(wrong(vnode_sendrecv(me, &rank, 1, right, &in, 1, left, VNODE_I32, 0, &got)) == "");
          CHECK(in == rank - 1);
          CHECK(got == (rank > 0 ? vnode_received{1, left, 0} : nothing));
          CHECK(wrong(vnode_send(me, &in, 1, VNODE_I32, VNODE_NO_RANK, 0)) == "");
          CHECK(wrong(vnode_ssend(me, &in, 1, VNODE_I32, VNODE_NO_RANK, 0)) == "");
          CHECK(wrong(vnode_recv(me, &in, 1, VNODE_I32, VNODE_NO_RANK, 0, &got)) == "");
          CHECK(got == nothing);
          vnode_request* request = nullptr;
          CHECK(wrong(vnode_irecv(me, &in, 1, VNODE_I32, VNODE_NO_RANK, 0, &request)) == "");
          CHECK(wrong(vnode_request_wait(&request, &got)) == "");
          CHECK(got == nothing);
          return 0;
        })) == "");
}

TEST_CASE("a synchronous send returns when its receiver has begun to receive") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          int x = 1, y = 0;
          if (vnode_group_rank(me) == 1) {
            CHECK(wrong(vnode_barrier(me, nullptr)) == "");
            CHECK(wrong(vnode_recv(me, &y, 1, VNODE_I32, 0, 0, nullptr)) == "");
            return vnode_recv(me, &y, 1, VNODE_I32, 0, 1, nullptr);
          }
          vnode_request* request = nullptr;
          int complete = 1;
          CHECK(wrong(vnode_issend(me, &x, 1, VNODE_I32, 1, 0, &request)) == "");
          CHECK(wrong(vnode_request_test(&request, &complete, nullptr)) == "");
          CHECK(complete == 0);  // a send of so few bytes is complete at once
          CHECK(wrong(vnode_barrier(me, nullptr)) == "");
          CHECK(wrong(vnode_request_wait(&request, nullptr)) == "");
          return vnode_ssend(me, &x, 1, VNODE_I32, 1, 1);
        })) == "");
}

TEST_CASE("two nodes that wait for their synchronous sends are a deadlock") {
  const CTeam team(2);
  CHECK(team.run([](vnode_node* me) {
    const int rank = vnode_group_rank(me);
    int y = 0;
    const int code = vnode_ssend(me, &rank, 1, VNODE_I32, 1 - rank, 0);
    return code != VNODE_OK ? code : vnode_recv(me, &y, 1, VNODE_I32, 1 - rank, 0, nullptr);
  }) == VNODE_ERROR_DEADLOCK);
}

TEST_CASE("tags and ranks that are none are refused") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          int x = 0;
          const auto refused = [](int code) { return code == VNODE_ERROR_USAGE; };
          CHECK(refused(vnode_send(me, &x, 1, VNODE_I32, 1, VNODE_ANY_TAG)));
          CHECK(refused(vnode_send(me, &x, 1, VNODE_I32, VNODE_ANY_SOURCE, 0)));
          CHECK(refused(vnode_ssend(me, &x, 1, VNODE_I32, 2, 0)));
          CHECK(refused(vnode_recv(me, &x, 1, VNODE_I32, -1, 0, nullptr)));
          CHECK(refused(vnode_sendrecv(me, &x, 1, 1, &x, 1, 1, VNODE_I32, 0, nullptr)));
          CHECK(std::string(vnode_message()).find("overlap") != std::string::npos);
          CHECK(refused(vnode_sendrecv_replace(me, nullptr, 1, VNODE_I32, 1, 0, 1, 0, nullptr)));
          CHECK(std::string(vnode_message()) == "vnode_sendrecv_replace: data is NULL and has 1 element");
          CHECK(refused(vnode_sendrecv(me, nullptr, 2, 1, &x, 1, 1, VNODE_I32, 0, nullptr)));
          CHECK(std::string(vnode_message()) == "vnode_sendrecv: out is NULL and has 2 elements");
          return 0;
        })) == "");
}
