#include "draw/drawing.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>

namespace vnode {

namespace {

// In units of the size: as wide as the widest of the usual sans-serif faces sets it.
double advance(char character) {
  constexpr std::string_view narrow = "fijlrtI.,:;'|!()[] ", wide = "mwMW@%+=<>~";
  if (narrow.find(character) != std::string_view::npos) return 0.42;
  if (wide.find(character) != std::string_view::npos) return 0.98;
  return character >= 'A' && character <= 'Z' ? 0.76 : 0.64;
}

bool continues(char character) { return (static_cast<unsigned char>(character) & 0xC0U) == 0x80U; }

// A box that grows.
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

bool within(const Box& inner, const Box& outer) {
  return inner.x >= outer.x && inner.y >= outer.y && inner.x + inner.width <= outer.x + outer.width &&
         inner.y + inner.height <= outer.y + outer.height;
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

}  // namespace vnode
