#pragma once

#include "options/choice.hpp"

namespace vnode {

/// What a command writes, if there is no more to choose from: for a person, or one JSON value.
enum class Format { text, json };

/// Adds --format text|json. `format` outlives the parsing and holds the default.
inline void add_format(Command app, Format& format) {
  add_choice(app, "--format", {{"text", Format::text}, {"json", Format::json}}, format, "what to write");
}

}  // namespace vnode
