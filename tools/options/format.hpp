#pragma once

#include "options/choice.hpp"

namespace vnode {

/// What a command writes, if there is no more to choose from: for a person, or one JSON value; or, of a
/// command that has a table, its lines as CSV.
enum class Format { text, json, csv };

/// Adds --format text|json. `format` outlives the parsing and holds the default.
inline void add_format(Command app, Format& format) {
  add_choice(app, "--format", {{"text", Format::text}, {"json", Format::json}}, format, "what to write");
}

/// Adds --format text|json|csv in the same way.
inline void add_table_format(Command app, Format& format) {
  add_choice(app, "--format", {{"text", Format::text}, {"json", Format::json}, {"csv", Format::csv}}, format,
             "what to write");
}

}  // namespace vnode
