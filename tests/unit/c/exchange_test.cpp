// Tests layouts and exchanges of neighbours by vnode.h.
#include <array>
#include <cstddef>
#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include <vnode/vnode.h>

#include "forms.hpp"
#include "teams.hpp"

using namespace vnode_test;

namespace {

/// Is a layout of vnode.h's for as long as it lives.
struct CLayout {
  vnode_layout* at = nullptr;
  ~CLayout() { vnode_layout_free(&at); }
};

/// Exchanges have no options.
template <class Blocking, class Nonblocking, class Persistent, class... Arguments>
int exchanged(Form form, Blocking blocking, Nonblocking nonblocking, Persistent persistent,
              vnode_group* group, Arguments... arguments) {
  if (form == Form::blocking) return blocking(group, arguments...);
  if (form == Form::nonblocking) {
    vnode_request* request = nullptr;
    const int code = nonblocking(group, arguments..., &request);
    return code != VNODE_OK ? code : vnode_request_wait(&request, nullptr);
  }
  vnode_persistent* planned = nullptr;
  int code = persistent(group, arguments..., &planned);
  if (code == VNODE_OK) code = vnode_persistent_start(planned);
  if (code == VNODE_OK) code = vnode_persistent_wait(planned);
  return code == VNODE_OK ? vnode_persistent_free(&planned) : code;
}

}  // namespace

TEST_CASE("layouts pick what they say, and what makes no sense is refused") {
  CLayout column, tile, two, pair, far;
  REQUIRE(vnode_layout_vector(&column.at, 4, 1, 5, nullptr) == VNODE_OK);
  std::size_t count = 0;
  std::ptrdiff_t first = -1, last = -1, extent = -1;
  CHECK(vnode_layout_count(column.at, &count) == VNODE_OK);
  CHECK(vnode_layout_bounds(column.at, &first, &last, &extent) == VNODE_OK);
  CHECK((count == 4 && first == 0 && last == 16 && extent == 16));
  CHECK(vnode_layout_overlaps(column.at) == 0);
  const std::array<std::size_t, 2> array{4, 5}, sizes{2, 2}, starts{1, 1};
  REQUIRE(vnode_layout_subarray(&tile.at, 2, array.data(), sizes.data(), starts.data(), nullptr) == VNODE_OK);
  CHECK(vnode_layout_bounds(tile.at, &first, &last, nullptr) == VNODE_OK);
  CHECK((first == 6 && last == 13));
  REQUIRE(vnode_layout_contiguous(&two.at, 2, column.at) == VNODE_OK);
  const std::array<std::ptrdiff_t, 2> places{0, 20};
  const std::array<const vnode_layout*, 2> members{column.at, tile.at};
  REQUIRE(vnode_layout_structure(&pair.at, 2, places.data(), members.data()) == VNODE_OK);
  CHECK(vnode_layout_count(pair.at, &count) == VNODE_OK);
  CHECK(count == 8);
  REQUIRE(vnode_layout_shifted(&far.at, column.at, 3) == VNODE_OK);
  CHECK(vnode_layout_bounds(far.at, &first, nullptr, nullptr) == VNODE_OK);
  CHECK(first == 3);
  char* text = nullptr;
  CHECK(vnode_layout_text(column.at, &text) == VNODE_OK);
  CHECK(std::string(text) == "4 x 1 every 5");
  vnode_text_free(&text);
  vnode_layout* none = nullptr;
  CHECK(vnode_layout_indexed(&none, 1, nullptr, places.data(), nullptr) == VNODE_ERROR_USAGE);
  CHECK(vnode_layout_subarray(&none, 2, sizes.data(), array.data(), starts.data(), nullptr) ==
        VNODE_ERROR_USAGE);
  CHECK(vnode_layout_count(nullptr, &count) == VNODE_ERROR_USAGE);
}

TEST_CASE("collectives take layouts, in place too") {
  const CTeam team(3);
  for (const Form form : forms)
    CHECK(wrong(team.run([&](vnode_node* me) {
            const int rank = vnode_group_rank(me);
            CLayout column;
            REQUIRE(vnode_layout_vector(&column.at, 3, 1, 2, nullptr) == VNODE_OK);
            vnode_call_options options{};
            options.size = sizeof options;
            options.in_layout = column.at;
            // x[0], x[2] and x[4] of each node are added up into three elements one after the other.
            const std::array<int, 5> x{rank, -1, rank + 1, -1, rank + 2};
            std::array<int, 3> sum{};
            if (form == Form::blocking)
              CHECK(wrong(vnode_all_reduce(me, x.data(), sum.data(), 3, VNODE_I32, VNODE_SUM, &options)) ==
                    "");
            if (form == Form::nonblocking) {
              vnode_request* request = nullptr;
              CHECK(wrong(vnode_all_reduce_nonblocking(me, x.data(), sum.data(), 3, VNODE_I32, VNODE_SUM,
                                                       &options, &request)) == "");
              CHECK(wrong(vnode_request_wait(&request, nullptr)) == "");
            }
            if (form == Form::persistent) {
              vnode_persistent* planned = nullptr;
              CHECK(wrong(vnode_all_reduce_persistent(me, x.data(), sum.data(), 3, VNODE_I32, VNODE_SUM,
                                                      &options, &planned)) == "");
              CHECK(wrong(vnode_persistent_start(planned)) == "");
              CHECK(wrong(vnode_persistent_wait(planned)) == "");
              CHECK(wrong(vnode_persistent_free(&planned)) == "");
            }
            CHECK(sum == std::array{3, 6, 9});
            // Node r contributes the r-th element of the column, in place.
            options.out_layout = column.at;
            std::array<int, 5> all{-1, -2, -1, -2, -1};
            all[2 * static_cast<std::size_t>(rank)] = rank + 10;
            CHECK(wrong(vnode_all_gather(me, all.data(), all.data(), 1, VNODE_I32, &options)) == "");
            CHECK(all == std::array{10, -2, 11, -2, 12});
            options.in_layout = nullptr;
            std::array<int, 5> given{rank, -3, rank, -3, rank};
            CHECK(wrong(vnode_broadcast(me, given.data(), 3, VNODE_I32, 2, &options)) == "");
            CHECK(given == std::array{2, -3, 2, -3, 2});
            CHECK(wrong(vnode_gather(me, &rank, rank == 1 ? given.data() : nullptr, 1, VNODE_I32, 1,
                                     &options)) == "");
            if (rank == 1) CHECK(given == std::array{0, -3, 1, -3, 2});
            CHECK(vnode_broadcast(me, given.data(), 4, VNODE_I32, 0, &options) == VNODE_ERROR_USAGE);
            CHECK(std::string(vnode_message()) ==
                  "vnode_broadcast: the layout of data picks 3 elements, and 4 from 0 are wanted");
            return 0;
          })) == "");
}

TEST_CASE("layouts whose bytes are more than numbers count are refused") {
  const CTeam team(1);
  CHECK(wrong(team.run([](vnode_node* me) {
          CLayout one, many, often, beyond, most;
          REQUIRE(vnode_layout_contiguous(&one.at, 1, nullptr) == VNODE_OK);
          REQUIRE(vnode_layout_resized(&many.at, one.at, 0) == VNODE_OK);
          constexpr std::size_t times = std::size_t{1} << 61;
          REQUIRE(vnode_layout_contiguous(&often.at, times, many.at) == VNODE_OK);
          REQUIRE(vnode_layout_shifted(&beyond.at, one.at, times) == VNODE_OK);
          double x = 0;
          const vnode_piece piece{&x, times, often.at}, outside{&x, 1, beyond.at};
          CHECK(vnode_send_piece(me, &piece, VNODE_F64, 0, 0) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_send_piece: the piece has 2305843009213693952 elements, more than memory holds");
          CHECK(vnode_send_piece(me, &outside, VNODE_F64, 0, 0) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_send_piece: the layout of the piece reaches from element 2305843009213693952 to "
                "2305843009213693952: memory ends at 1152921504606846975");
          vnode_call_options options{};
          options.size = sizeof options;
          options.in_layout = beyond.at;
          CHECK(vnode_broadcast(me, &x, 1, VNODE_F64, 0, &options) == VNODE_ERROR_USAGE);
          CHECK(std::string(vnode_message()) ==
                "vnode_broadcast: the layout of data reaches from element 2305843009213693952 to "
                "2305843009213693952: memory ends at 1152921504606846975");
          // All of in and out together: memory is asked for that there is not.
          REQUIRE(vnode_layout_contiguous(&most.at, PTRDIFF_MAX, many.at) == VNODE_OK);
          options.in_layout = options.out_layout = most.at;
          char in = 0, out = 0;
          CHECK(vnode_exclusive_scan(me, &in, &out, PTRDIFF_MAX, VNODE_U8, VNODE_SUM, &options) ==
                VNODE_ERROR_MEMORY);
          return 0;
        })) == "");
}

TEST_CASE("options without the members for layouts, of a program compiled before, are taken") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          vnode_call_options options{};
          options.size = offsetof(vnode_call_options, in_layout);
          options.deterministic = 1;
          int x = 1;
          CHECK(wrong(vnode_all_reduce(me, &x, &x, 1, VNODE_I32, VNODE_SUM, &options)) == "");
          CHECK(x == 2);
          return 0;
        })) == "");
}

TEST_CASE("neighbours are listed") {
  vnode_topology* mesh = nullptr;
  REQUIRE(vnode_topology_create(&mesh, "mesh:2x3", 6) == VNODE_OK);
  vnode_neighbours* neighbours = nullptr;
  REQUIRE(vnode_neighbours_create(&neighbours, mesh, 1) == VNODE_OK);
  std::array<int, 4> sources{}, targets{};
  CHECK(vnode_neighbours_sources(neighbours, sources.data(), 4) == 4);
  CHECK(sources == std::array{VNODE_NO_RANK + 0, 4, 0, 2});
  CHECK(vnode_neighbours_targets(neighbours, targets.data(), 2) == 4);
  CHECK(targets == std::array{VNODE_NO_RANK + 0, 4, 0, 0});
  CHECK(vnode_neighbours_free(&neighbours) == VNODE_OK);
  CHECK(vnode_neighbours_create(&neighbours, mesh, 6) == VNODE_ERROR_USAGE);
  CHECK(vnode_topology_free(&mesh) == VNODE_OK);
}

TEST_CASE("neighbours exchange equal parts, parts of different lengths and pieces, in all forms") {
  const CTeam team(4, "ring");
  for (const Form form : forms)
    CHECK(wrong(team.run([&](vnode_node* me) {
            const int rank = vnode_group_rank(me), lower = (rank + 3) % 4, higher = (rank + 1) % 4;
            const std::array<int, 2> mine{10 * rank, 10 * rank + 1};
            std::array<int, 2> theirs{};
            const vnode_neighbours* const in_topology = nullptr;
            CHECK(wrong(exchanged(form, vnode_exchange, vnode_exchange_nonblocking, vnode_exchange_persistent,
                                  me, mine.data(), theirs.data(), std::size_t{1}, VNODE_I32, in_topology)) ==
                  "");
            CHECK(theirs == std::array{10 * lower + 1, 10 * higher});

            // To the higher one only, as many as its rank is.
            vnode_neighbours* chain = nullptr;
            CHECK(vnode_neighbours_create_lists(&chain, &lower, 1, &higher, 1) == VNODE_OK);
            const std::array<int, 4> out{rank, rank, rank, rank};
            std::array<int, 4> in{-1, -1, -1, -1};
            const auto sent = static_cast<std::size_t>(higher), received = static_cast<std::size_t>(rank);
            const std::size_t gap = 1;
            const std::size_t* const dense = nullptr;
            CHECK(wrong(exchanged(form, vnode_exchange_v, vnode_exchange_v_nonblocking,
                                  vnode_exchange_v_persistent, me, out.data(), &sent, dense, in.data(),
                                  &received, &gap, VNODE_I32, static_cast<const vnode_neighbours*>(chain))) ==
                  "");
            for (std::size_t i = 0; i < 4; ++i) CHECK(in[i] == (i >= 1 && i < 1 + received ? lower : -1));

            CLayout every_other;
            CHECK(vnode_layout_vector(&every_other.at, 2, 1, 2, nullptr) == VNODE_OK);
            std::array<int, 4> source{rank, 7, rank + 100, 7}, sink{};
            const vnode_piece from{source.data(), 2, every_other.at}, to{sink.data(), 2, nullptr};
            CHECK(wrong(exchanged(form, vnode_exchange_pieces, vnode_exchange_pieces_nonblocking,
                                  vnode_exchange_pieces_persistent, me, &from, &to, VNODE_I32,
                                  static_cast<const vnode_neighbours*>(chain))) == "");
            CHECK(sink == std::array{lower, lower + 100, 0, 0});
            CHECK(vnode_neighbours_free(&chain) == VNODE_OK);

            std::array<int, 4> each{};
            std::array<vnode_piece, 4> outs{}, ins{};
            std::array<int, 4> values{rank * 4, rank * 4 + 1, rank * 4 + 2, rank * 4 + 3};
            for (std::size_t i = 0; i < 4; ++i) {
              outs[i] = {&values[i], 1, nullptr};
              ins[i] = {&each[3 - i], 1, nullptr};
            }
            CHECK(wrong(exchanged(form, vnode_all_to_all_w, vnode_all_to_all_w_nonblocking,
                                  vnode_all_to_all_w_persistent, me,
                                  static_cast<const vnode_piece*>(outs.data()),
                                  static_cast<const vnode_piece*>(ins.data()), VNODE_I32)) == "");
            CHECK(each == std::array{12 + rank, 8 + rank, 4 + rank, rank});
            CHECK(vnode_exchange(me, nullptr, theirs.data(), 1, VNODE_I32, nullptr) == VNODE_ERROR_USAGE);
            return 0;
          })) == "");
}

TEST_CASE("messages are sent from and received into what a layout picks") {
  const CTeam team(2);
  CHECK(wrong(team.run([](vnode_node* me) {
          const int rank = vnode_group_rank(me), other = 1 - rank;
          CLayout every_other;
          CHECK(vnode_layout_vector(&every_other.at, 3, 1, 2, nullptr) == VNODE_OK);
          std::array<double, 5> x{1.0 + rank, 0, 2.0 + rank, 0, 3.0 + rank}, y{};
          const vnode_piece out{x.data(), 3, every_other.at}, in{y.data(), 3, every_other.at},
              dense{y.data(), 3, nullptr};
          vnode_received received{};
          CHECK(wrong(vnode_sendrecv_pieces(me, &out, other, &in, other, VNODE_F64, 4, &received)) == "");
          CHECK((received.count == 3 && received.from == other));
          CHECK(y == std::array{1.0 + other, 0.0, 2.0 + other, 0.0, 3.0 + other});
          vnode_request* coming = nullptr;
          vnode_request* going = nullptr;
          CHECK(wrong(vnode_irecv_piece(me, &dense, VNODE_F64, other, 5, &coming)) == "");
          CHECK(wrong(vnode_isend_piece(me, &out, VNODE_F64, other, 5, &going)) == "");
          CHECK(wrong(vnode_request_wait(&coming, &received)) == "");
          CHECK(wrong(vnode_request_wait(&going, nullptr)) == "");
          CHECK(y[2] == 3.0 + other);
          if (rank == 0) CHECK(wrong(vnode_send_piece(me, &out, VNODE_F64, 1, 0)) == "");
          if (rank == 1) CHECK(wrong(vnode_recv_piece(me, &in, VNODE_F64, 0, 0, &received)) == "");
          CHECK(vnode_send_piece(me, nullptr, VNODE_F64, other, 0) == VNODE_ERROR_USAGE);
          // From whoever sends, by all of them.
          x = {7.0 + rank, 0, 8.0 + rank, 0, 9.0 + rank};
          y = {};
          CHECK(wrong(vnode_irecv_piece(me, &in, VNODE_F64, VNODE_ANY_SOURCE, VNODE_ANY_TAG, &coming)) == "");
          CHECK(wrong(vnode_send_piece(me, &out, VNODE_F64, other, 6)) == "");
          CHECK(wrong(vnode_request_wait(&coming, &received)) == "");
          CHECK((received.from == other && received.tag == 6 && y[4] == 9.0 + other));
          y = {};
          CHECK(wrong(vnode_sendrecv_pieces(me, &out, other, &in, VNODE_ANY_SOURCE, VNODE_F64, 7,
                                            &received)) == "");
          CHECK((received.from == other && received.tag == 7 && y[2] == 8.0 + other));
          return 0;
        })) == "");
}
