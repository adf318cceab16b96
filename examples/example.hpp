#pragma once

// What every example does besides its algorithm: it reads [NODES] [SIZE], measures, and reports.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <limits>
#include <string>
#include <string_view>

#include <vnode/vnode.hpp>

namespace example {

/// The arguments of a program, and before they are read their defaults.
struct Arguments {
  int nodes;         ///< p
  std::size_t size;  ///< n
};

/// A whole number from `least` to `most`; a UsageError says what it would be.
inline std::size_t whole_number(std::string_view text, const std::string& what, std::size_t least,
                                std::size_t most) {
  std::size_t number = 0;
  const auto [stopped, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stopped != text.data() + text.size() || number < least || number > most)
    throw vnode::UsageError(what + " is a whole number from " + std::to_string(least) + " to " +
                            std::to_string(most) + ", not '" + std::string(text) + "'");
  return number;
}

/// Reads [NODES] [SIZE]. `meaning` says what SIZE is the number of, and it is at most `most`.
inline Arguments arguments(int argc, char** argv, Arguments defaults, const std::string& meaning,
                           std::size_t most) {
  if (argc > 3) throw vnode::UsageError("too many arguments: there are [NODES] [SIZE], SIZE = " + meaning);
  if (argc > 1) defaults.nodes = static_cast<int>(whole_number(argv[1], "NODES", 1, 4096));
  if (argc > 2) defaults.size = whole_number(argv[2], "SIZE, " + meaning + ",", 1, most);
  return defaults;
}

/// The least time, in seconds, that `work` takes in three attempts; the first of them makes the plans.
/// `prepare` goes before each and does not count.
template <class Prepare, class Work>
double seconds(const Prepare& prepare, const Work& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int attempt = 0; attempt < 3; ++attempt) {
    prepare();
    const auto begin = std::chrono::steady_clock::now();
    work();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

/// The same for what all nodes do together: from when the last is ready until the last is done.
template <class Prepare, class Work>
double seconds(vnode::Node& me, const Prepare& prepare, const Work& work) {
  const auto prepare_all = [&] {
    prepare();
    me.barrier();
  };
  return seconds(prepare_all, [&] {
    work();
    me.barrier();
  });
}

/// Prints the outcome; returns what main() returns.
inline int report(const std::string& what, const vnode::Team& team, bool right, double parallel,
                  double sequential) {
  std::printf("%s on %d nodes (%s): %s\n", what.c_str(), team.size(), team.topology().text().c_str(),
              right ? "right" : "wrong");
  std::printf("%.3f ms, sequential %.3f ms, speed-up %.2f\n", parallel * 1e3, sequential * 1e3,
              sequential / parallel);
  return right ? 0 : 1;
}

/// Prints what went wrong; returns what main() returns then.
inline int complain(const char* program, const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  return 2;
}

}  // namespace example
