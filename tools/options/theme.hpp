#pragma once

#include <vnode/lab/draw.hpp>

#include "options/choice.hpp"

namespace vnode {

/// Adds --theme. `theme` outlives the parsing and holds the default.
inline void add_theme(Command app, Theme& theme) {
  add_choice(app, "--theme", {{"auto", Theme::automatic}, {"light", Theme::light}, {"dark", Theme::dark}},
             theme, "colours; auto: as the reader's system");
}

}  // namespace vnode
