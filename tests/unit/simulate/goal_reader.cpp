#include "goal_reader.hpp"

#include <regex>
#include <sstream>
#include <stdexcept>

namespace vnode {

std::vector<GoalRank> read_goal(const std::string& text) {
  static const std::regex head(R"(num_ranks (\d+))"), opening(R"(rank (\d+) \{)"),
      send(R"(l(\d+): send (\d+)b to (\d+) tag (\d+))"), recv(R"(l(\d+): recv (\d+)b from (\d+) tag (\d+))"),
      calc(R"(l(\d+): calc (\d+))"), requires_(R"(l(\d+) requires l(\d+))");
  std::vector<GoalRank> ranks;
  GoalRank* rank = nullptr;
  std::istringstream lines(text);
  int number = 0;
  const auto fail = [&](const std::string& line) {
    throw std::runtime_error("GOAL, line " + std::to_string(number) + ": " + line);
  };
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch part;
    const auto is = [&](const std::regex& pattern) { return std::regex_match(line, part, pattern); };
    const auto value = [&](std::size_t i) { return std::stoi(part[i]); };
    const auto add = [&](GoalOperation operation) {
      if (rank == nullptr || !rank->emplace(value(1), operation).second) fail(line);
    };
    if (line.empty()) continue;
    if (number == 1 && is(head)) {
      ranks.resize(static_cast<std::size_t>(value(1)));
    } else if (is(opening)) {
      if (rank != nullptr) fail(line);
      rank = &ranks.at(static_cast<std::size_t>(value(1)));
    } else if (line == "}") {
      if (rank == nullptr) fail(line);
      rank = nullptr;
    } else if (is(send)) {
      add({GoalOperation::Kind::send, value(2), value(3), value(4), {}});
    } else if (is(recv)) {
      add({GoalOperation::Kind::recv, value(2), value(3), value(4), {}});
    } else if (is(calc)) {
      add({GoalOperation::Kind::calc, value(2), 0, 0, {}});
    } else if (is(requires_) && rank != nullptr && rank->count(value(1)) && rank->count(value(2))) {
      rank->at(value(1)).required.push_back(value(2));
    } else {
      fail(line);
    }
  }
  if (rank != nullptr) fail("a rank is not closed");
  return ranks;
}

}  // namespace vnode
