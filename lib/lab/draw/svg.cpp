#include "draw/svg.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <iterator>

#include "base/at.hpp"
#include "draw/geometry.hpp"

namespace vnode {
namespace {

struct Colours {
  std::string_view light, dark;
};

// The colours by ink. Hues keep apart for the colour-blind too (after Okabe and Ito); words have a contrast
// of 4.5 at least.
constexpr std::array<Colours, inks> colours = {{
    {"#1b1f24", "#e6edf3"},  // text
    {"#59636e", "#9198a1"},  // faint
    {"#b6bec8", "#565f6a"},  // link
    {"#3d4650", "#aab4bf"},  // node
    {"#f3f5f8", "#21282f"},  // face
    {"#d1242f", "#ff6a5f"},  // warning
    {"#ffffff", "#0d1117"},  // background
    {"#0b62a8", "#6cb6ff"},  // hues
    {"#b35900", "#ffb15c"}, {"#0a7a5a", "#3ddc9f"}, {"#a3307f", "#ff8fd0"}, {"#6a5300", "#e5d04a"},
    {"#5f3dc4", "#b9a4ff"}, {"#e2e8ef", "#252c36"},  // heats: the more, the further from the background
    {"#b3cde8", "#28486b"}, {"#83aedb", "#316ba3"}, {"#4d87c4", "#4f93d2"}, {"#28599c", "#8cc0ee"},
    {"#12295c", "#e3f1ff"},
}};

constexpr double baseline = 0.35;  // below the middle of a line, in units of its size
constexpr std::string_view fonts =
    "system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";

std::string rules(bool dark, std::string_view indent) {
  std::string text;
  for (std::size_t i = 0; i < colours.size(); ++i) {
    const std::string_view colour = dark ? colours[i].dark : colours[i].light;
    text += fmt::format("{0}.s{1}{{stroke:{2}}}.f{1}{{fill:{2}}}\n", indent, i, colour);
  }
  return text;
}

// Returns a coordinate with two digits: half a hundredth of a pixel is not seen.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string pair(Point p) { return number(p.x) + ',' + number(p.y); }

// Returns a path with rounded bends. `end` is where the head begins.
std::string path(const Stroke& stroke, Point end) {
  const std::vector<Point>& points = stroke.points;
  std::string text = 'M' + pair(points.front());
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const Point before = points[i - 1], at = points[i], after = points[i + 1];
    const double radius = std::min({stroke.rounding, length(at - before) / 2, length(after - at) / 2});
    if (radius < 0.5)
      text += 'L' + pair(at);
    else
      text += 'L' + pair(at + radius * direction(at, before)) + 'Q' + pair(at) + ' ' +
              pair(at + radius * direction(at, after));
  }
  return text + 'L' + pair(end);
}

void write(std::string& out, const Stroke& stroke) {
  if (stroke.points.size() < 2) return;
  const Point tip = stroke.points.back(), before = stroke.points[stroke.points.size() - 2];
  const double head = std::min(stroke.head, length(tip - before));
  const Point neck = tip + head * direction(tip, before);
  out +=
      fmt::format("<path class=\"l s{}\" stroke-width=\"{}\"{} d=\"{}\"/>\n", stroke.ink,
                  number(stroke.width), stroke.dashed ? " stroke-dasharray=\"5 4\"" : "", path(stroke, neck));
  if (head <= 0) return;
  const Point along = tip - neck;
  const Point side = {-0.42 * along.y, 0.42 * along.x};
  out += fmt::format("<path class=\"f{}\" d=\"M{}L{}L{}Z\"/>\n", stroke.ink, pair(tip), pair(neck + side),
                     pair(neck - side));
}

void write(std::string& out, const Rectangle& shape) {
  out += fmt::format("<rect class=\"f{} s{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}/>\n", shape.fill,
                     shape.ink, number(shape.box.x), number(shape.box.y), number(shape.box.width),
                     number(shape.box.height),
                     shape.rounding > 0 ? fmt::format(" rx=\"{}\"", number(shape.rounding)) : "");
}

void write(std::string& out, const Disc& disc) {
  out += fmt::format("<circle class=\"f{} s{}\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", disc.fill, disc.ink,
                     number(disc.center.x), number(disc.center.y), number(disc.radius));
}

void write(std::string& out, const Label& label) {
  if (label.backed) {
    const Box box = box_of(label);
    out += fmt::format("<rect class=\"f{}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>\n",
                       ink(Ink::background), number(box.x), number(box.y), number(box.width),
                       number(box.height));
  }
  constexpr std::string_view anchors[] = {"start", "middle", "end"};
  out += fmt::format(
      "<text class=\"f{}\" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", label.ink,
      number(label.at.x), number(label.at.y + baseline * label.size), number(label.size),
      at(anchors, label.anchor), label.bold ? " font-weight=\"600\"" : "", escaped(label.text));
}

// Returns the length of the UTF-8 sequence at the start of `text` if XML permits its character, else 0.
std::size_t permitted(std::string_view text) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const auto continued = [&](std::size_t i) { return (byte(i) & 0xC0U) == 0x80U; };
  const unsigned first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  if (first >= 0xC2 && first < 0xE0) return continued(1) ? 2 : 0;
  if (first >= 0xE0 && first < 0xF0) {
    const unsigned point = (first & 0xFU) << 12U | (byte(1) & 0x3FU) << 6U | (byte(2) & 0x3FU);
    const bool good = point >= 0x800 && (point < 0xD800 || point > 0xDFFF) && point < 0xFFFE;
    return continued(1) && continued(2) && good ? 3 : 0;
  }
  const unsigned point = (first & 7U) << 18U | (byte(1) & 0x3FU) << 12U;
  const bool good = first >= 0xF0 && first < 0xF5 && point >= 0x10000 && point < 0x110000;
  return good && continued(1) && continued(2) && continued(3) ? 4 : 0;
}

/// Returns the rules by which marks are shown in turn, over and over: a round as long as the player takes.
/// Where nothing is to move, and where animations are unknown, the first is shown.
std::string turns_style(std::size_t turns) {
  constexpr double each = 1.6;  // seconds
  std::string text = ".t~.t{visibility:hidden}\n@media (prefers-reduced-motion:no-preference){\n";
  text +=
      fmt::format(" .t{{animation:turn {}s step-end infinite}}\n", number(each * static_cast<double>(turns)));
  text += fmt::format(" @keyframes turn{{0%{{visibility:visible}}{:.3f}%{{visibility:hidden}}}}\n",
                      100.0 / static_cast<double>(turns));
  for (std::size_t turn = 0; turn < turns; ++turn)
    text += fmt::format(" .t{}{{animation-delay:{}s}}\n", turn,
                        number(each * (static_cast<double>(turn) - static_cast<double>(turns))));
  return text + "}\n";
}

void write_marks(std::string& out, const Drawing& drawing) {
  for (const Rectangle& rectangle : drawing.rectangles) write(out, rectangle);
  for (const Stroke& stroke : drawing.strokes) write(out, stroke);
  for (const Disc& disc : drawing.discs) write(out, disc);
  for (const Label& label : drawing.labels) write(out, label);
}

}  // namespace

std::string style(Theme theme) {
  std::string text =
      fmt::format("<style>\ntext{{font-family:{}}}\n.l{{fill:none;stroke-linejoin:round}}\n", fonts);
  text += rules(theme == Theme::dark, "");
  if (theme == Theme::automatic)
    text += fmt::format("@media (prefers-color-scheme:dark){{\n{}}}\n", rules(true, " "));
  return text + "</style>\n";
}

std::string escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t size = permitted(text);
    switch (text[0]) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += size == 0 ? "\xEF\xBF\xBD" : text.substr(0, size);
    }
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return result;
}

std::string to_svg(const Drawing& drawing, Theme theme) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "role=\"img\" "
      "aria-labelledby=\"title description\">\n<title id=\"title\">{2}</title>\n<desc "
      "id=\"description\">{3}</desc>\n",
      number(drawing.width), number(drawing.height), escaped(drawing.title), escaped(drawing.description));
  out += style(theme);
  if (!drawing.turns.empty()) out += "<style>\n" + turns_style(drawing.turns.size()) + "</style>\n";
  out += fmt::format("<rect class=\"f{}\" width=\"100%\" height=\"100%\"/>\n", ink(Ink::background));
  write_marks(out, drawing);
  for (std::size_t turn = 0; turn < drawing.turns.size(); ++turn) {
    out += fmt::format("<g class=\"t t{}\">\n", turn);
    write_marks(out, drawing.turns[turn]);
    out += "</g>\n";
  }
  return out + "</svg>\n";
}

}  // namespace vnode
