#pragma once

#include <string>
#include <vector>

namespace vnode {

/// Holds a place in a drawing, in pixels, where y grows downwards, or a difference of two places.
struct Point {
  double x = 0, y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};
inline Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
inline Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
inline Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
/// Returns the distance of a point from the origin.
double length(Point a);

/// Describes a rectangle along the axes.
struct Box {
  double x = 0, y = 0, width = 0, height = 0;
  friend bool operator==(const Box&, const Box&) = default;
};
/// Tells whether two boxes share more than an edge.
bool overlap(const Box& a, const Box& b);
/// Tells whether the line from a to b passes through the box.
bool crosses(Point a, Point b, const Box& box);

/// Says what a mark means; a pen knows its colour, in light and in dark.
enum class Ink {
  text,        ///< words
  faint,       ///< words and lines of less importance
  link,        ///< of the topology
  node,        ///< the outline of a node
  face,        ///< the inside of a node or box
  warning,     ///< congestion
  background,  ///< behind a label on a line
  first_hue,   ///< of `hues` colours that tell classes of blocks, or rounds, apart
};
inline constexpr int hues = 6;
inline constexpr int heats = 6;
/// Returns the colour of a class.
constexpr int hue(int number) { return static_cast<int>(Ink::first_hue) + number % hues; }
/// Returns the colour of a step, 0 .. heats-1, of the scale from cold to hot.
constexpr int heat(int step) { return static_cast<int>(Ink::first_hue) + hues + step; }
constexpr int ink(Ink ink) { return static_cast<int>(ink); }
inline constexpr int inks = static_cast<int>(Ink::first_hue) + hues + heats;

/// Describes a line with bends, rounded where it is asked for; with a head it is an arrow.
struct Stroke {
  std::vector<Point> points = {};
  int ink = 0;
  double width = 1;
  double head = 0;  ///< the length of the arrow's head at the last point; 0: none
  bool dashed = false;
  double rounding = 0;  ///< radius at the bends
};

struct Disc {
  Point center = {};
  double radius = 0;
  int ink = 0, fill = 0;
};

struct Rectangle {
  Box box = {};
  int ink = 0, fill = 0;
  double rounding = 0;  ///< of the corners
};

enum class Anchor { start, middle, end };

/// Describes a line of text. Its box is computed, not measured: it is wider than any usual sans-serif sets
/// it.
struct Label {
  std::string text = {};
  Point at = {};  ///< the middle of its height; across, what the anchor says
  double size = 12;
  Anchor anchor = Anchor::middle;
  int ink = 0;
  bool bold = false;
  bool backed = false;  ///< the background behind it hides lines
};
/// Returns the box of a label.
Box box_of(const Label& label);
/// Returns how wide a text of that size is at most.
double width_of(const std::string& text, double size, bool bold = false);

/// Returns the words of a text in lines that are no wider than `width`, as long as no word is.
std::vector<std::string> folded(const std::string& text, double size, double width);

/// Holds a picture as marks, which a pen draws. Later kinds cover earlier ones: rectangles, strokes, discs,
/// labels.
struct Drawing {
  std::string title = {};        ///< what it shows, in a line
  std::string description = {};  ///< the same for those who cannot see it
  double width = 0, height = 0;
  std::vector<Rectangle> rectangles = {};
  std::vector<Stroke> strokes = {};
  std::vector<Disc> discs = {};
  std::vector<Label> labels = {};
  std::vector<Drawing> turns = {};  ///< marks above all others, shown in turn, one at a time
};
/// Returns the smallest box around all marks.
Box bounds(const Drawing& drawing);
/// Moves all marks.
void move(Drawing& drawing, Point by);
/// Adds the marks of `part`, which has no turns, moved.
void add(Drawing& drawing, Drawing part, Point by);
/// Moves all marks and sets width and height so that there is `margin` around them, and `middle` in the
/// middle.
void fit(Drawing& drawing, double margin, double least_width, double middle);

/// A legend says what the colours and lines of a picture mean.
class Legend {
 public:
  /// Adds a piece of line and its meaning.
  void line(std::string meaning, int ink, bool dashed = false, double width = 2);
  /// Adds a piece of colour and its meaning.
  void patch(std::string meaning, int fill);
  void words(std::string text);

  /// Draws the legend from (0, 0) to the right, in rows of at most that width.
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

/// Returns the label, cut with an ellipsis if it is wider than `width`.
Label cut(Label label, double width);
/// Puts the legend below everything, around `middle`.
void add_below(Drawing& drawing, const Legend& legend, double width, double middle);
/// Puts a note above everything, around `middle`, in as many lines as it needs.
void add_note(Drawing& drawing, const std::string& note, double width, double middle);
/// Puts the drawing's title above everything, around `middle`: smaller if it is longer than `width`, cut if
/// it is longer yet.
void add_title(Drawing& drawing, double width, double middle);

}  // namespace vnode
