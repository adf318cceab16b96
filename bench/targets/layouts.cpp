#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include <vnode/layouts.hpp>
#include <vnode/node.hpp>

#include "commands/team.hpp"
#include "targets/target.hpp"

namespace vnode::bench {
namespace {

// Describes rows [0, height) and columns [0, width) of a square matrix of doubles.
struct Shape2D {
  const char* what;
  std::size_t matrix, height, width;
};
constexpr Shape2D shapes_to_send[]{{"column of 64 x 64", 64, 64, 1},
                                   {"column of 1024 x 1024", 1024, 1024, 1},
                                   {"3 columns of 1024 x 1024", 1024, 1024, 3},
                                   {"64 x 64 of 512 x 512", 512, 64, 64},
                                   {"512 x 512 of 1024 x 1024", 1024, 512, 512}};

// Holds the data of one of two nodes.
struct Sides {
  explicit Sides(const Shape2D& shape)
      : matrix(shape.matrix * shape.matrix, 1.0), packed(shape.height * shape.width) {}
  std::vector<double> matrix, packed;
  Persistent planned{};
};

// Returns the question of a message one way, from node 0 to node 1, whose matrix has the data when the call
// is complete.
Question question_of(const Shape2D& shape, const std::shared_ptr<std::array<Sides, 2>>& both) {
  const Layout layout = layouts::subarray({shape.matrix, shape.matrix}, {shape.height, shape.width}, {0, 0});
  const auto own = [both](const Seat& seat) -> Sides& {
    return (*both)[static_cast<std::size_t>(seat.rank)];
  };
  const auto with_layouts = [=](const Seat& seat) {
    if (seat.rank == 0)
      seat.node->send(laid(own(seat).matrix, layout), 1);
    else
      seat.node->recv(laid(own(seat).matrix, layout), 0);
  };
  const auto by_hand = [=](const Seat& seat) {
    Sides& mine = own(seat);
    const auto row = [&](std::size_t i) { return mine.matrix.begin() + static_cast<long>(i * shape.matrix); };
    const auto packed = [&](std::size_t i) {
      return mine.packed.begin() + static_cast<long>(i * shape.width);
    };
    if (seat.rank == 0) {
      for (std::size_t i = 0; i < shape.height; ++i) std::copy_n(row(i), shape.width, packed(i));
      seat.node->send(mine.packed, 1);
    } else {
      seat.node->recv(mine.packed, 0);
      for (std::size_t i = 0; i < shape.height; ++i) std::copy_n(packed(i), shape.width, row(i));
    }
  };
  const auto plan = [=](const Seat& seat) {
    const std::array<Laid<double>, 1> piece{laid(own(seat).matrix, layout)};
    const std::span<const Laid<double>> some(piece), nothing = some.first(0);
    own(seat).planned = seat.rank == 0 ? seat.node->persistent().exchange(some, nothing, Neighbours({}, {1}))
                                       : seat.node->persistent().exchange(nothing, some, Neighbours({0}, {}));
  };
  const auto exchanged = [=](const Seat& seat) {
    own(seat).planned.start();
    own(seat).planned.wait();
  };
  const auto forget = [=](const Seat& seat) { own(seat).planned = Persistent(); };
  Question question;
  question.collective = false;
  question.contestants = {
      {.by = "send", .call = with_layouts, .delivers = false},
      {.by = "planned exchange", .call = exchanged, .delivers = false, .prepare = plan, .finish = forget},
      {.by = "by hand", .call = by_hand, .delivers = false}};
  return question;
}

}  // namespace

Verdicts layouts_against_packing(const Options& options) {
  const auto team = team_of(options, 2);
  Verdicts verdicts;
  for (const Shape2D& shape : shapes_to_send) {
    const auto both = std::make_shared<std::array<Sides, 2>>(std::array{Sides(shape), Sides(shape)});
    Question question = question_of(shape, both);
    beside_by_hand(*team, question, options.effort, fmt::format(" of a Layout, {}", shape.what),
                   "1.05 packed by hand", 1.05, verdicts);
  }
  return verdicts;
}

}  // namespace vnode::bench
