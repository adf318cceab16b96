#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vnode {

/// A tag of an XML text, and what follows it. Its parts are views of that text.
struct XmlTag {
  std::string_view name = {};  ///< "object", its end's is "/object"; of what is no tag (a comment) none
  std::vector<std::pair<std::string_view, std::string_view>> attributes = {};  ///< values as they are written
  bool empty = false;          ///< "<object/>", which has no end
  std::string_view text = {};  ///< up to the next

  /// The value of an attribute that is there. SystemError with the reason if characters of it are escaped:
  /// none that we look at needs that.
  std::optional<std::string_view> attribute(std::string_view wanted) const;
};

/// The tags in order. Declarations and comments, which are none, leave the text behind them. SystemError with
/// the reason, as the end of a sentence, for what is not XML, or is none that describes a machine: zero
/// bytes, hundreds of attributes or of tags inside each other, an attribute twice. O(bytes).
std::vector<XmlTag> xml_tags(std::string_view text);
/// As hwloc itself writes them, whose parsers (its own, and libxml) do not agree about much else: a blank
/// before each attribute, double quotes, no declarations, comments and blank text.
std::string to_xml(const std::vector<XmlTag>& tags);

/// For a sentence: what can be printed of the beginning.
std::string shown(std::string_view text);

}  // namespace vnode
