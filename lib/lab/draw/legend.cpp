#include "draw/legend.hpp"

#include <algorithm>

namespace vnode {

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
    drawing.labels.push_back({.text = entry.text,
                              .at = at + Point{before, 0},
                              .size = size,
                              .anchor = Anchor::start,
                              .ink = ink(Ink::faint)});
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

void add_note(Drawing& drawing, const std::string& note, double width, double middle) {
  constexpr double size = 12;
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < note.size();) {
    const std::size_t end = std::min(note.find(' ', at), note.size());
    const std::string word = note.substr(at, end - at);
    if (!lines.empty() && width_of(lines.back() + ' ' + word, size) <= width)
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
    at = end + 1;
  }
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
