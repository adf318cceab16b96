#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <string>

#include <vnode/error.hpp>

#include "command_line/command.hpp"

namespace vnode {

/// Returns the form that is asked for or, without --format, the one that the end of the output's name says:
/// rounds.html is a page. Throws UsageError where the name says another one than --format, or none of these.
template <class Form>
Form form_of(const Choices<Form>& forms, std::optional<Form> asked, Form usual,
             const std::optional<std::string>& output) {
  const std::string name = output.value_or("");
  const std::string ending = name.substr(std::min(name.rfind('.'), name.size()));
  std::string words;
  for (const auto& [word, form] : forms) {
    words += (words.empty() ? "" : word == forms.back().first ? " or " : ", ") + word;
    const bool plain = ending == ".txt" && (word == "text" || word == "table");
    if (ending != '.' + word && !plain) continue;
    if (asked && *asked != form)
      throw UsageError(fmt::format("--output {}: --format asks for something else; leave --format out", name));
    return form;
  }
  for (const char* const other : {".svg", ".html", ".csv", ".json", ".png", ".pdf", ".jpg", ".gif"})
    if (ending == other)
      throw UsageError(
          fmt::format("--output {}: what can be written is {}{}", name, words,
                      ending == ".png" || ending == ".pdf"
                          ? fmt::format("; rsvg-convert -f {} makes one of svg", ending.substr(1))
                          : ""));
  return asked.value_or(usual);
}

}  // namespace vnode
