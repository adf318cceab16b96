#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace vnode {

/// What a subcommand writes: for a person, or one JSON value.
enum class Format { text, json };

/// Adds --format text|json. `format` outlives the parsing and holds the default.
inline void add_format(CLI::App& app, Format& format) {
  const auto parse = [&format](const std::string& text) {
    if (text != "text" && text != "json")
      throw CLI::ValidationError("--format", '"' + text + "\" is no format: write text or json");
    format = text == "json" ? Format::json : Format::text;
  };
  app.add_option_function<std::string>("--format", parse, "what to write (default: text)")
      ->type_name("text|json");
}

}  // namespace vnode
