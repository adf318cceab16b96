#pragma once

#include <fmt/format.h>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "options/command.hpp"

namespace vnode {

/// The words that an option takes, and what each stands for.
template <class Value>
using Choices = std::vector<std::pair<std::string, Value>>;

/// Adds an option that takes one of several words and gives what it stands for to `store`.
template <class Value>
Option add_choice(Command app, const std::string& option, const Choices<Value>& choices,
                  const std::function<void(Value)>& store, const std::string& description) {
  std::string names, sentence;
  for (const auto& [name, value] : choices) {
    const bool first = &name == &choices.front().first, last = &name == &choices.back().first;
    names += (first ? "" : "|") + name;
    sentence += (first ? "" : last ? " or " : ", ") + name;
  }
  const auto parse = [=](const std::string& text) {
    for (const auto& [name, value] : choices)
      if (name == text) return store(value);
    refuse_value(option, fmt::format("expected {}, not \"{}\"", sentence, text));
  };
  return app.option(option, parse, description).type_name(names);
}

/// The same for a variable, which outlives the parsing and holds the default; the help tells which that is.
template <class Value>
Option add_choice(Command app, const std::string& option, const std::type_identity_t<Choices<Value>>& choices,
                  Value& value, const std::string& description) {
  std::string usual;
  for (const auto& [name, meaning] : choices)
    if (meaning == value) usual = name;
  return add_choice<Value>(
      app, option, choices, [&value](Value chosen) { value = chosen; },
      fmt::format("{} (default: {})", description, usual));
}

}  // namespace vnode
