#include "draw/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace vnode {
namespace {

// Returns the width of a character in units of the size, as the widest of the usual sans-serif faces sets it.
double advance(char character) {
  constexpr std::string_view narrow = "fijlrtI.,:;'|!()[] ", wide = "mwMW@%+=<>~";
  if (narrow.find(character) != std::string_view::npos) return 0.42;
  if (wide.find(character) != std::string_view::npos) return 0.98;
  return character >= 'A' && character <= 'Z' ? 0.76 : 0.64;
}

bool continues(char character) { return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U; }

// Holds a box that grows.
struct Hull {
  double left = std::numeric_limits<double>::max(), top = left, right = -left, bottom = -left;

  void take(Point p, double around = 0) {
    left = std::min(left, p.x - around);
    right = std::max(right, p.x + around);
    top = std::min(top, p.y - around);
    bottom = std::max(bottom, p.y + around);
  }
  void take(const Box& box) {
    take(Point{box.x, box.y});
    take(Point{box.x + box.width, box.y + box.height});
  }
};

}  // namespace

double length(Point a) { return std::hypot(a.x, a.y); }

bool overlap(const Box& a, const Box& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

// The part of the line whose parameter lies within both slabs of the box.
bool crosses(Point a, Point b, const Box& box) {
  double first = 0, last = 1;
  const auto clip = [&](double from, double to, double low, double high) {
    const double step = to - from;
    if (std::abs(step) < 1e-12) return from > low && from < high;
    const double in = (low - from) / step, out = (high - from) / step;
    first = std::max(first, std::min(in, out));
    last = std::min(last, std::max(in, out));
    return first < last;
  };
  return clip(a.x, b.x, box.x, box.x + box.width) && clip(a.y, b.y, box.y, box.y + box.height);
}

double width_of(const std::string& text, double size, bool bold) {
  double width = 0;
  for (const char character : text)
    if (!continues(character)) width += advance(character);
  return width * size * (bold ? 1.12 : 1);
}

Box box_of(const Label& label) {
  const double width = width_of(label.text, label.size, label.bold), height = 1.2 * label.size;
  const double before = label.anchor == Anchor::start    ? 0
                        : label.anchor == Anchor::middle ? width / 2
                                                         : width;
  return {label.at.x - before, label.at.y - height / 2, width, height};
}

Box bounds(const Drawing& drawing) {
  Hull hull;
  for (const Rectangle& rectangle : drawing.rectangles) hull.take(rectangle.box);
  for (const Stroke& stroke : drawing.strokes)
    for (const Point point : stroke.points) hull.take(point, stroke.width / 2 + stroke.head / 2);
  for (const Disc& disc : drawing.discs) hull.take(disc.center, disc.radius + 1);
  for (const Label& label : drawing.labels) hull.take(box_of(label));
  for (const Drawing& turn : drawing.turns) hull.take(bounds(turn));
  if (hull.right < hull.left) return {};
  return {hull.left, hull.top, hull.right - hull.left, hull.bottom - hull.top};
}

void move(Drawing& drawing, Point by) {
  for (Rectangle& rectangle : drawing.rectangles) {
    rectangle.box.x += by.x;
    rectangle.box.y += by.y;
  }
  for (Stroke& stroke : drawing.strokes)
    for (Point& point : stroke.points) point = point + by;
  for (Disc& disc : drawing.discs) disc.center = disc.center + by;
  for (Label& label : drawing.labels) label.at = label.at + by;
  for (Drawing& turn : drawing.turns) move(turn, by);
}

void add(Drawing& drawing, Drawing part, Point by) {
  const auto append = [](auto& all, auto& more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  move(part, by);
  append(drawing.rectangles, part.rectangles);
  append(drawing.strokes, part.strokes);
  append(drawing.discs, part.discs);
  append(drawing.labels, part.labels);
}

void fit(Drawing& drawing, double margin, double least_width, double middle) {
  const Box box = bounds(drawing);
  const double half = margin + std::max(middle - box.x, box.x + box.width - middle);
  drawing.width = std::max(least_width, 2 * half);
  drawing.height = box.height + 2 * margin;
  move(drawing, {drawing.width / 2 - middle, margin - box.y});
}

void Legend::line(std::string meaning, int ink, bool dashed, double width) {
  entries_.push_back({std::move(meaning), Sample::line, ink, dashed, width});
}
void Legend::patch(std::string meaning, int fill) {
  entries_.push_back({std::move(meaning), Sample::patch, fill});
}
void Legend::words(std::string text) { entries_.push_back({std::move(text)}); }

Drawing Legend::drawing(double width) const {
  constexpr double size = 12, row = 20, sample = 26, space = 20;
  Drawing drawing;
  Point at{0, row};
  for (const Entry& entry : entries_) {
    const double before = entry.sample == Sample::none ? 0 : sample + 6;
    const double wide = before + width_of(entry.text, size);
    if (at.x > 0 && at.x + wide > width) at = {0, at.y + row};
    if (entry.sample == Sample::line)
      drawing.strokes.push_back({.points = {at, at + Point{sample, 0}},
                                 .ink = entry.ink,
                                 .width = entry.width,
                                 .dashed = entry.dashed});
    if (entry.sample == Sample::patch)
      drawing.rectangles.push_back({{at.x, at.y - 6, sample, 12}, entry.ink, entry.ink, 2});
    drawing.labels.push_back({entry.text, at + Point{before, 0}, size, Anchor::start, ink(Ink::faint)});
    at.x += wide + space;
  }
  return drawing;
}

Label cut(Label label, double width) {
  while (width_of(label.text, label.size, label.bold) > width && label.text != "…") {
    std::size_t end = label.text.size() - (label.text.ends_with("…") ? 4 : 1);
    while (end > 0 && (static_cast<unsigned char>(label.text[end]) & 0xC0U) == 0x80U) --end;
    label.text = label.text.substr(0, end) + "…";
  }
  return label;
}

void add_below(Drawing& drawing, const Legend& legend, double width, double middle) {
  const Drawing part = legend.drawing(width);
  const Box above = bounds(drawing);
  add(drawing, part, {middle - bounds(part).width / 2, above.y + above.height + 6});
}

std::vector<std::string> folded(const std::string& text, double size, double width) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string word = text.substr(at, end - at);
    if (!lines.empty() && width_of(lines.back() + ' ' + word, size) <= width)
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
    at = end + 1;
  }
  return lines;
}

void add_note(Drawing& drawing, const std::string& note, double width, double middle) {
  constexpr double size = 12;
  const std::vector<std::string> lines = folded(note, size, width);
  for (auto line = lines.rbegin(); line != lines.rend(); ++line)
    drawing.labels.push_back(cut(
        {.text = *line, .at = {middle, bounds(drawing).y - 1.4 * size}, .size = size, .ink = ink(Ink::faint)},
        width));
}

void add_title(Drawing& drawing, double width, double middle) {
  constexpr double largest = 17, least = 12;
  if (drawing.title.empty()) return;
  Label label{.text = drawing.title, .at = {}, .size = largest, .ink = ink(Ink::text), .bold = true};
  label.size = std::clamp(width / width_of(drawing.title, 1, true), least, largest);
  label = cut(std::move(label), width);
  label.at = {middle, bounds(drawing).y - 1.4 * label.size};
  drawing.labels.push_back(std::move(label));
}

}  // namespace vnode
