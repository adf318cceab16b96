#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <string>

namespace vnode {

/// The numbers that an option takes, both ends included.
struct DecimalBounds {
  double least = 0;
  double most = 1e15;
};

/// Adds an option that takes a number and gives it to `store`.
inline CLI::Option* add_decimal(CLI::App& app, const std::string& option, DecimalBounds bounds,
                                const std::function<void(double)>& store, const std::string& description) {
  const auto parse = [=](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(number >= bounds.least && number <= bounds.most))
      throw CLI::ValidationError(option, fmt::format("expected a number from {:g} to {:g}, not \"{}\"",
                                                     bounds.least, bounds.most, text));
    store(number);
  };
  return app.add_option_function<std::string>(option, parse, description);
}

}  // namespace vnode
