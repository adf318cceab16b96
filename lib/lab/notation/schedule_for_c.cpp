#include <cstdlib>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <new>
#include <string>
#include <vector>

#include <vnode/c/status.h>
#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/lab/schedule.h>
#include <vnode/model/schedule.hpp>

namespace vnode {
namespace {

/// Says that a function of vnode.h has failed, which has left its sentence.
struct FailedInC {
  int code;
};

/// Returns what a function of vnode.h has returned. Throws FailedInC if it is an error.
int check(int code) {
  if (code < VNODE_OK) throw FailedInC{code};
  return code;
}

/// Runs the body of a function for C, through which no exception goes.
template <class Body>
int in_c(const char* function, Body&& body) noexcept {
  const auto failed = [&](int code, const char* sentence) {
    vnode_set_message(sentence);
    return code;
  };
  try {
    body();
    return VNODE_OK;
  } catch (const FailedInC& failure) {
    return failure.code;
  } catch (const UsageError& error) {
    return failed(VNODE_ERROR_USAGE, error.what());
  } catch (const std::bad_alloc&) {
    return failed(VNODE_ERROR_MEMORY, function);
  } catch (const std::exception& error) {
    return failed(VNODE_ERROR_OTHER, error.what());
  }
}

/// Returns the intervals of a schedule's list as C has them.
std::vector<vnode_interval> intervals_for_c(const Schedule& schedule, Blocks blocks) {
  std::vector<vnode_interval> list;
  for (const Interval& interval : schedule.intervals(blocks)) list.push_back({interval.first, interval.last});
  return list;
}

void write_for_c(vnode_schedule** made, const char* name, const Schedule& from) {
  check(vnode_schedule_create(made, name, from.nodes(), from.blocks()));
  try {
    int round = 0;
    for (const Round& transfers : from.rounds()) {
      for (const Transfer& transfer : transfers) {
        const std::vector<vnode_interval> what = intervals_for_c(from, transfer.what),
                                          into = intervals_for_c(from, transfer.into);
        const vnode_transfer given{.round = round,
                                   .from = transfer.from,
                                   .to = transfer.to,
                                   .effect = static_cast<int>(transfer.effect),
                                   .what = what.data(),
                                   .what_count = what.size(),
                                   .into = into.data(),
                                   .into_count = into.size()};
        check(vnode_schedule_add(*made, &given));
      }
      ++round;
    }
  } catch (...) {
    vnode_schedule_free(made);
    throw;
  }
}

Blocks blocks_from_c(Schedule& schedule, const vnode_interval* list, std::size_t count) {
  std::vector<Interval> intervals;
  for (std::size_t i = 0; i < count; ++i) intervals.push_back({list[i].first, list[i].last});
  return schedule.blocks_of(intervals);
}

Schedule read_from_c(const vnode_schedule* given) {
  Schedule schedule(check(vnode_schedule_nodes(given)), check(vnode_schedule_blocks(given)));
  const int rounds = check(vnode_schedule_rounds(given));
  for (int number = 0; number < rounds; ++number) {
    Round round;
    const int transfers = check(vnode_schedule_transfers(given, number));
    for (int i = 0; i < transfers; ++i) {
      vnode_transfer is{};
      check(vnode_schedule_transfer(given, number, i, &is));
      const Blocks what = blocks_from_c(schedule, is.what, is.what_count),
                   into = blocks_from_c(schedule, is.into, is.into_count);
      round.push_back({is.from, is.to, what, into, static_cast<Effect>(is.effect)});
    }
    schedule.next_round() = std::move(round);
  }
  return schedule;
}

void hand_out(char** to, const std::string& text) {
  if (to == nullptr) throw UsageError("the text's address is NULL");
  *to = static_cast<char*>(std::malloc(text.size() + 1));  // what vnode_text_free() frees
  if (*to == nullptr) throw std::bad_alloc();
  std::memcpy(*to, text.c_str(), text.size() + 1);
}

const char* text_from_c(const char* text) {
  if (text == nullptr) throw UsageError("the text is NULL");
  return text;
}

}  // namespace
}  // namespace vnode

using namespace vnode;

int vnode_schedule_from_text(vnode_schedule** schedule, const char* name, const char* text) {
  return in_c(__func__, [&] { write_for_c(schedule, name, schedule_from_text(text_from_c(text))); });
}

int vnode_schedule_from_json(vnode_schedule** schedule, const char* name, const char* json) {
  return in_c(__func__, [&] { write_for_c(schedule, name, schedule_from_json(text_from_c(json))); });
}

int vnode_schedule_to_text(const vnode_schedule* schedule, char** text) {
  return in_c(__func__, [&] { hand_out(text, to_text(read_from_c(schedule))); });
}

int vnode_schedule_to_json(const vnode_schedule* schedule, char** json) {
  return in_c(__func__, [&] { hand_out(json, to_json(read_from_c(schedule))); });
}
