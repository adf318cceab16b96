#pragma once

#include <charconv>
#include <fmt/format.h>
#include <functional>
#include <string>

#include "options/command.hpp"

namespace vnode {

/// The numbers that an option takes, both ends included.
struct DecimalBounds {
  double least = 0;
  double most = 1e15;
};

/// Adds an option that takes a number and gives it to `store`.
inline Option add_decimal(Command app, const std::string& option, DecimalBounds bounds,
                          const std::function<void(double)>& store, const std::string& description) {
  const auto parse = [=](const std::string& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() ||
        !(number >= bounds.least && number <= bounds.most))
      refuse_value(option, fmt::format("expected a number from {:g} to {:g}, not \"{}\"", bounds.least,
                                       bounds.most, text));
    store(number);
  };
  return app.option(option, parse, description);
}

}  // namespace vnode
