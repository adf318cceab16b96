#include "compile/meetings.hpp"

#include "compile/messages.hpp"

namespace vnode {

namespace {

/// Numbers meetings beside the rounds of schedules, so that nobody is released by a call of another kind.
/// They take place at another member than barriers do, which do not look at who has come: else these might
/// end where other nodes have come for something else.
enum Meeting : std::uint32_t { before_reading = most_rounds + 1, after_reading, of_combined, of_gathered };
constexpr std::uint32_t place_of_meetings = 1;

}  // namespace

Program make_program(const CompleteExchange& exchange, Aliasing aliasing, Rank rank) {
  const auto [sent, bytes] = exchange;
  const std::size_t place = sent > 1 ? static_cast<std::size_t>(rank) * bytes : 0;  // in everybody's input
  Place shown = Place::input;
  Program program;
  const auto add = [&](Step::Kind kind, const OwnCopy& copy) {
    program.steps.push_back({.kind = kind, .first = static_cast<std::uint32_t>(program.copies.size())});
    program.copies.push_back(copy);
  };
  const auto meet = [&](std::uint32_t number) {
    program.steps.push_back({.kind = Step::Kind::arrive, .first = number, .index = place_of_meetings});
    program.steps.push_back({.kind = Step::Kind::await_release, .first = number, .index = place_of_meetings});
    ++program.meetings;
  };
  // What comes goes where others read, unless there is one message, which stays where it is.
  if (aliasing == Aliasing::in_place || (aliasing == Aliasing::by_block && sent > 1)) {
    shown = Place::scratch;
    program.scratch_bytes = static_cast<std::size_t>(sent) * bytes;
    add(Step::Kind::copy, {program.scratch_bytes, Spot(Place::input, 0), Spot(shown, 0)});
  }
  const OwnCopy from_each{bytes, Spot(shown, place), Spot(Place::output, 0)};
  add(Step::Kind::open, from_each);
  meet(before_reading);
  add(Step::Kind::copy,
      {bytes, Spot(Place::input, place), Spot(Place::output, static_cast<std::size_t>(rank) * bytes)});
  add(Step::Kind::read_all, from_each);
  meet(after_reading);
  program.shrink_to_fit();
  return program;
}

Program make_program(const Bringing& bringing) {
  using enum Step::Kind;
  const std::uint32_t number = bringing.gathers ? of_gathered : of_combined, gathers = bringing.gathers;
  Program program;
  program.copies = {{bringing.bytes, Spot(Place::input, 0), {}},
                    {bringing.taken, Spot(Place::scratch, bringing.taken_at), Spot(Place::output, 0)}};
  program.steps = {{.kind = open, .first = 0},
                   {.kind = bring, .first = number, .count = gathers, .index = place_of_meetings},
                   {.kind = await_release, .first = number, .index = place_of_meetings},
                   {.kind = take_brought, .first = 1, .count = gathers}};
  program.meetings = 1;
  return program;
}

}  // namespace vnode
