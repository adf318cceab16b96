#include <algorithm>
#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <functional>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "base/grouped.hpp"
#include "draw/drawing.hpp"
#include "draw/pictures.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

// Describes a part of a machine, with the parts inside it: a package holds NUMA nodes, these hold caches of
// level 3, these hold cores, and these hold PUs.
struct MachinePart {
  std::string name = {};                // "core 3"
  bool pu = false;                      // the innermost
  bool allowed = true;                  // of a PU: the process may use it
  std::vector<int> ranks = {};          // of a PU: the nodes on it
  std::vector<MachinePart> parts = {};  // from left to right
};

std::string bytes_text(std::uint64_t bytes) {
  constexpr double kibi = 1024;
  const double value = static_cast<double>(bytes);
  if (value >= kibi * kibi * kibi) return fmt::format(", {:.4g} GiB", value / (kibi * kibi * kibi));
  if (value >= kibi * kibi) return fmt::format(", {:.4g} MiB", value / (kibi * kibi));
  return bytes > 0 ? fmt::format(", {:.4g} KiB", value / kibi) : "";
}

std::string numbered(std::string_view kind, int os_index) {
  return os_index < 0 ? std::string(kind) : fmt::format("{} {}", kind, os_index);
}

// Describes one kind of part: which of them a PU belongs to, -1 for none, and their names.
struct Kind {
  std::vector<int> of_pu;
  std::vector<std::string> names;
};

// Returns the most PUs that a part of the kind has.
std::ptrdiff_t largest(const Kind& kind) {
  std::vector<std::ptrdiff_t> sizes(kind.names.size() + 1);
  for (const int part : kind.of_pu)
    if (part >= 0) ++at(sizes, part);
  return std::ranges::max(sizes);
}

// Returns the kinds from the outside in: a NUMA node may be part of a package or the other way round.
std::vector<Kind> kinds_of(const Machine& machine) {
  std::array<Kind, 5> kinds;
  auto& [machines, packages, numas, caches, cores] = kinds;
  const bool several = machine.machines() > 1;
  for (int number = 0; several && number < machine.machines(); ++number)
    machines.names.push_back(numbered("machine", number));
  for (const Pu& pu : machine.pus) {
    machines.of_pu.push_back(several ? pu.machine : -1);
    packages.of_pu.push_back(pu.package);
    numas.of_pu.push_back(pu.numa);
    cores.of_pu.push_back(pu.core);
  }
  for (const Package& package : machine.packages)
    packages.names.push_back(numbered("package", package.os_index));
  for (const NumaNode& numa : machine.numas)
    numas.names.push_back(numbered("NUMA node", numa.os_index) + bytes_text(numa.bytes));
  for (const Core& core : machine.cores) cores.names.push_back(numbered("core", core.os_index));
  caches.of_pu.assign(machine.pus.size(), -1);
  for (const Cache& cache : machine.caches) {
    if (cache.level != 3) continue;
    for (const int pu : cache.pus) at(caches.of_pu, pu) = static_cast<int>(caches.names.size());
    caches.names.push_back("L3" + bytes_text(cache.bytes));
  }
  std::ranges::stable_sort(kinds, std::greater(), largest);
  return {kinds.begin(), kinds.end()};
}

// Puts `pus` into parts of `into`, of the kinds from `level` on; where a kind has none for them it is left
// out.
void divide(MachinePart& into, const std::vector<int>& pus, const std::vector<Kind>& kinds, std::size_t level,
            const std::vector<MachinePart>& leaves) {
  if (level == kinds.size()) {
    for (const int pu : pus) into.parts.push_back(at(leaves, pu));
    return;
  }
  const Kind& kind = kinds[level];
  for (const std::vector<int>& group : grouped(pus, [&](int pu) { return at(kind.of_pu, pu); })) {
    const int number = at(kind.of_pu, group.front());
    if (number < 0) {
      divide(into, group, kinds, level + 1, leaves);
      continue;
    }
    MachinePart part{.name = at(kind.names, number)};
    divide(part, group, kinds, level + 1, leaves);
    into.parts.push_back(std::move(part));
  }
}

std::string ranks_text(const MachinePart& pu) {
  constexpr std::size_t most = 4;
  if (pu.ranks.size() <= most) return fmt::format("{}", fmt::join(pu.ranks, " "));
  return fmt::format("{}…{} ({})", pu.ranks.front(), pu.ranks.back(), pu.ranks.size());
}

constexpr double padding = 8, heading_height = 18, name_size = 11, rank_size = 13;

// Draws a part, whose box has the corner (0, 0).
Drawing boxes(const MachinePart& part, double width, double pu_width) {
  Drawing drawing;
  if (part.pu) {
    const bool busy = !part.ranks.empty();
    drawing.rectangles.push_back(
        {{0, 0, pu_width, 40}, busy ? hue(0) : ink(Ink::link), ink(Ink::background), 4});
    const Label name{.text = part.allowed ? part.name : part.name + ", not ours",
                     .at = {pu_width / 2, 11},
                     .size = name_size - 1,
                     .ink = ink(Ink::faint)};
    drawing.labels.push_back(name);
    if (busy)
      drawing.labels.push_back(
          {ranks_text(part), {pu_width / 2, 28}, rank_size, Anchor::middle, hue(0), true});
    return drawing;
  }
  Point at{padding, part.name.empty() ? padding : heading_height + padding / 2};
  double row = 0, right = part.name.empty() ? 0 : 2 * padding + width_of(part.name, name_size);
  for (const MachinePart& inner : part.parts) {
    Drawing box = boxes(inner, width - 2 * padding, pu_width);
    const Box size = bounds(box);
    if (at.x > padding && at.x + size.width + padding > width) {
      at = {padding, at.y + row + padding};
      row = 0;
    }
    add(drawing, std::move(box), at);
    at.x += size.width + padding;
    row = std::max(row, size.height);
    right = std::max(right, at.x);
  }
  if (part.name.empty()) return drawing;
  drawing.rectangles.insert(drawing.rectangles.begin(),
                            {{0, 0, right, at.y + row + padding}, ink(Ink::link), ink(Ink::face), 6});
  drawing.labels.push_back(
      {part.name, {padding, heading_height / 2 + 2}, name_size, Anchor::start, ink(Ink::text)});
  return drawing;
}

// Returns the width that the widest PU needs for its words.
double pu_width(const MachinePart& part) {
  double width = 44;
  if (part.pu)
    width = std::max({width, 8 + width_of(ranks_text(part), rank_size, true),
                      8 + width_of(part.allowed ? part.name : part.name + ", not ours", name_size - 1)});
  for (const MachinePart& inner : part.parts) width = std::max(width, pu_width(inner));
  return width;
}

void write(std::string& text, const MachinePart& part, int depth) {
  if (!part.name.empty()) {
    text += std::string(static_cast<std::size_t>(2 * depth), ' ') + part.name;
    if (part.pu && !part.allowed) text += ", not ours";
    if (!part.ranks.empty()) text += fmt::format(": {}", fmt::join(part.ranks, " "));
    text += '\n';
  }
  for (const MachinePart& inner : part.parts) write(text, inner, depth + 1);
}

MachinePart parts_of(const MappingPicture& picture) {
  const Machine& machine = picture.machine;
  std::vector<MachinePart> leaves;
  std::vector<int> all;
  for (const Pu& pu : machine.pus) {
    all.push_back(static_cast<int>(leaves.size()));
    leaves.push_back({.name = numbered("PU", pu.os_index), .pu = true, .allowed = pu.allowed});
  }
  for (std::size_t rank = 0; rank < picture.mapping.pu.size(); ++rank) {
    const int pu = picture.mapping.pu[rank];
    if (pu < 0 || pu >= static_cast<int>(leaves.size()))
      throw UsageError(
          fmt::format("node {} is mapped to PU {}, the machine has {}", rank, pu, leaves.size()));
    at(leaves, pu).ranks.push_back(static_cast<int>(rank));
  }
  MachinePart machine_part{.name = ""};
  divide(machine_part, all, kinds_of(machine), 0, leaves);
  return machine_part;
}

std::string text_of(const MappingPicture& picture) {
  std::string text = fmt::format("{}\n{}{}\n", picture.title, picture.note, picture.note.empty() ? "" : "\n");
  write(text, parts_of(picture), -1);
  return text;
}

}  // namespace

Drawing drawing_of(const MappingPicture& picture) {
  if (static_cast<int>(picture.machine.pus.size()) > max_drawn_nodes)
    throw UsageError(fmt::format("a picture of {} PUs cannot be read: up to {}, or more as text",
                                 picture.machine.pus.size(), max_drawn_nodes));
  const MachinePart all = parts_of(picture);
  Drawing drawing = boxes(all, 780, pu_width(all));
  drawing.title = picture.title;
  drawing.description = fmt::format(
      "Nested boxes: {}packages, NUMA nodes, caches of level 3, cores and PUs; in each PU the ranks of the "
      "nodes that run on it",
      picture.machine.machines() > 1 ? "machines, " : "");
  for (std::size_t rank = 0; rank < picture.mapping.pu.size() && rank < 64; ++rank)
    drawing.description += fmt::format("{} {} on PU {}", rank == 0 ? ":" : ",", rank,
                                       at(picture.machine.pus, picture.mapping.pu[rank]).os_index);
  if (!picture.note.empty()) drawing.description += ". " + picture.note;
  const double middle = bounds(drawing).width / 2;
  add_note(drawing, picture.note, 760, middle);
  add_title(drawing, 760, middle);
  fit(drawing, 16, 800, middle);
  return drawing;
}

std::string draw(const MappingPicture& picture, Pen pen, Theme theme) {
  return pen == Pen::text ? text_of(picture) : to_svg(drawing_of(picture), theme);
}

}  // namespace vnode
