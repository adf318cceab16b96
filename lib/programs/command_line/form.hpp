#pragma once

#include <algorithm>
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
      throw UsageError("--output " + name + ": --format asks for something else; leave --format out");
    return form;
  }
  for (const char* const other : {".svg", ".html", ".csv", ".json", ".png", ".pdf", ".jpg", ".gif"})
    if (ending == other)
      throw UsageError("--output " + name + ": what can be written is " + words +
                       (ending == ".png" || ending == ".pdf"
                            ? "; rsvg-convert -f " + ending.substr(1) + " makes one of svg"
                            : ""));
  return asked.value_or(usual);
}

}  // namespace vnode
