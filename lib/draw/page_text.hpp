#pragma once

#include <string_view>

namespace vnode {

/// The files page.html, page.css and page.js of this folder: the build puts them in.
extern const std::string_view page_html;
extern const std::string_view page_css;
extern const std::string_view page_js;

}  // namespace vnode
