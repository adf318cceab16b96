#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include <vnode/error.hpp>
#include <vnode/notation.hpp>

namespace vnode {

namespace {

std::string blocks_text(const Schedule& schedule, Blocks blocks) {
  std::string text;
  for (const Interval& i : schedule.intervals(blocks)) {
    if (!text.empty()) text += ',';
    text += i.size() == 1 ? fmt::format("{}", i.first) : fmt::format("{}-{}", i.first, i.last - 1);
  }
  return text;
}

std::string transfer_text(const Schedule& schedule, const Transfer& t) {
  const std::string_view arrow = t.effect == Effect::replace          ? ">"
                                 : t.effect == Effect::combine_before ? "+>"
                                                                      : ">+";
  std::string text = fmt::format("{}{}{}", t.from, arrow, t.to);
  if (schedule.blocks() == 0 || (t.what == whole && t.into == whole)) return text;
  text += '[' + blocks_text(schedule, t.what);
  if (t.into != t.what) text += ':' + blocks_text(schedule, t.into);
  return text + ']';
}

std::string rounds_text(const Schedule& schedule, std::string_view separator) {
  std::string text;
  int number = 0;
  for (const Round& round : schedule.rounds()) {
    if (number > 0) text += separator;
    text += fmt::format("{}:", ++number);
    for (const Transfer& transfer : round) text += ' ' + transfer_text(schedule, transfer);
  }
  return text;
}

// Reads the text form from left to right.
class Reader {
 public:
  explicit Reader(std::string_view text) : all_(text), rest_(text) {}

  Schedule schedule() {
    word("nodes");
    const int nodes = number();
    word("blocks");
    Schedule result(nodes, number());
    for (skip(" \n"); !rest_.empty(); skip(" \n")) {
      const int expected = static_cast<int>(result.rounds().size()) + 1;
      if (number() != expected || !take(":")) fail(fmt::format("expected \"{}:\", the next round", expected));
      round(result);
    }
    return result;
  }

 private:
  void round(Schedule& schedule) {
    schedule.next_round();
    for (skip(" "); !rest_.empty() && rest_[0] != '\n'; skip(" ")) {
      const Transfer transfer = this->transfer(schedule);
      schedule.round(static_cast<int>(schedule.rounds().size()) - 1).push_back(transfer);
    }
  }

  Transfer transfer(Schedule& schedule) {
    Transfer t;
    t.from = rank(schedule);
    if (take("+>"))
      t.effect = Effect::combine_before;
    else if (take(">+"))
      t.effect = Effect::combine_after;
    else if (!take(">"))
      fail("expected \">\", \"+>\" or \">+\"");
    t.to = rank(schedule);
    t.what = t.into = schedule.blocks() == 0 ? nothing : whole;
    if (!take("[")) return t;
    t.what = t.into = blocks(schedule);
    if (take(":")) t.into = blocks(schedule);
    if (!take("]")) fail("expected \"]\"");
    if (schedule.count(t.what) != schedule.count(t.into)) fail("as many blocks go out as come in");
    return t;
  }

  Rank rank(const Schedule& schedule) {
    const int rank = number();
    if (rank >= schedule.nodes())
      fail(fmt::format("there is no node {}, the last one is {}", rank, schedule.nodes() - 1));
    return rank;
  }

  Blocks blocks(Schedule& schedule) {
    std::vector<Interval> list;
    while (!rest_.empty() && rest_[0] != ':' && rest_[0] != ']') {
      const int first = number();
      const int last = take("-") ? number() : first;
      if (last < first || last >= schedule.blocks())
        fail(fmt::format("blocks {}-{} are not all within 0-{}", first, last, schedule.blocks() - 1));
      list.push_back({first, last + 1});
      if (!take(",")) break;
    }
    return schedule.blocks_of(list);
  }

  int number() {
    int value = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc{} || value < 0) fail("expected a number");
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return value;
  }

  void word(std::string_view word) {
    skip(" ");
    if (!take(word)) fail(fmt::format("expected \"{}\"", word));
    skip(" ");
  }

  bool take(std::string_view token) {
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }

  void skip(std::string_view characters) {
    const std::size_t kept = rest_.find_first_not_of(characters);
    rest_.remove_prefix(kept == std::string_view::npos ? rest_.size() : kept);
  }

  [[noreturn]] void fail(const std::string& reason) const {
    const std::string_view read = all_.substr(0, all_.size() - rest_.size());
    const auto line = 1 + std::count(read.begin(), read.end(), '\n');
    const std::size_t start = read.find_last_of('\n');
    throw UsageError(fmt::format("schedule text, line {}, column {}: {}", line,
                                 read.size() - (start == std::string_view::npos ? 0 : start + 1) + 1,
                                 reason));
  }

  std::string_view all_, rest_;
};

}  // namespace

std::string_view name(Effect effect) {
  switch (effect) {
    case Effect::combine_before:
      return "combine_before";
    case Effect::combine_after:
      return "combine_after";
    case Effect::replace:
      break;
  }
  return "replace";
}

std::string picture(const Schedule& schedule) { return rounds_text(schedule, "; "); }

std::string to_text(const Schedule& schedule) {
  return fmt::format("nodes {} blocks {}\n{}\n", schedule.nodes(), schedule.blocks(),
                     rounds_text(schedule, "\n"));
}

Schedule schedule_from_text(std::string_view text) { return Reader(text).schedule(); }

}  // namespace vnode
