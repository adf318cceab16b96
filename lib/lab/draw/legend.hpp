#pragma once

#include <string>
#include <vector>

#include "draw/drawing.hpp"

namespace vnode {

/// What the colours and lines of a picture mean.
class Legend {
 public:
  /// A piece of line and its meaning.
  void line(std::string meaning, int ink, bool dashed = false, double width = 2);
  /// A piece of colour and its meaning.
  void patch(std::string meaning, int fill);
  void words(std::string text);

  /// From (0, 0) to the right, in rows of at most that width.
  Drawing drawing(double width) const;

 private:
  enum class Sample { none, line, patch };
  struct Entry {
    std::string text;
    Sample sample = Sample::none;
    int ink = 0;
    bool dashed = false;
    double width = 0;
  };
  std::vector<Entry> entries_;
};

/// The label, cut with an ellipsis where it is wider than `width`.
Label cut(Label label, double width);
/// Puts the legend below everything, around `middle`.
void add_below(Drawing& drawing, const Legend& legend, double width, double middle);
/// Puts a note above everything, around `middle`, in as many lines as it needs.
void add_note(Drawing& drawing, const std::string& note, double width, double middle);
/// Puts the drawing's title above everything, around `middle`: smaller if it is longer than `width`, cut if
/// it is longer yet.
void add_title(Drawing& drawing, double width, double middle);

}  // namespace vnode
