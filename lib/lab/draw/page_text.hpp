#pragma once

#include <array>
#include <string_view>

namespace vnode {

/// Hold the files base.css (colours, words and tables of any page), page.html, page.css and page.js of this
/// folder, which the build puts in.
extern const std::string_view base_css;
extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

/// Names the themes as base.css does.
inline constexpr std::array<std::string_view, 3> page_themes = {"auto", "light", "dark"};

}  // namespace vnode
