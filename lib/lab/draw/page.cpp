#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include <vnode/error.hpp>

#include "base/at.hpp"
#include "draw/arrangement.hpp"
#include "draw/page_text.hpp"
#include "draw/playback.hpp"
#include "draw/rounds.hpp"
#include "draw/svg.hpp"

namespace vnode {
namespace {

using Json = nlohmann::ordered_json;

constexpr int most_nodes_played = 256;
constexpr long most_places = 1L << 16;  // nodes times blocks whose contents the page carries

Json json_pair(Point p) {
  const auto rounded = [](double value) { return std::round(value * 100) / 100; };
  return {rounded(p.x), rounded(p.y)};
}

Json line(const std::vector<Point>& points) {
  Json list = Json::array();
  for (const Point point : points) list.push_back(json_pair(point));
  return list;
}

// Returns when each round of a run began and ended, on a clock that starts with the first message and never
// goes back, though a round's last message may end before one of the round before. It is null for a round
// without messages.
std::vector<Json> round_times(const Timeline& run, std::size_t rounds) {
  std::vector<std::optional<double>> ends(rounds);
  double begin = run.messages.empty() ? 0 : run.messages.front().start;
  for (const TimedMessage& message : run.messages) {
    begin = std::min(begin, message.start);
    if (message.round < 0 || static_cast<std::size_t>(message.round) >= rounds) continue;
    std::optional<double>& end = at(ends, message.round);
    end = std::max(end.value_or(message.end), message.end);
  }
  std::vector<Json> list;
  double clock = 0;
  for (const std::optional<double>& end : ends) {
    if (!end) {
      list.emplace_back();
      continue;
    }
    const double before = clock;
    clock = std::max(clock, *end - begin);
    list.push_back({before, clock});
  }
  return list;
}

Json changes(const std::vector<Change>& changes) {
  Json list = Json::array();
  for (const Change& change : changes) list.push_back({change.node, change.block, to_text(change.now)});
  return list;
}

Json held(const RoundsPage& page) {
  if (static_cast<long>(page.schedule.nodes()) * page.schedule.blocks() > most_places) return {};
  const Playback playback = vnode::playback(page.schedule, page.contract ? &*page.contract : nullptr);
  Json rounds = Json::array();
  for (const auto& round : playback.rounds) rounds.push_back(changes(round));
  return {{"blocks", playback.blocks},
          {"knowledge", page.schedule.blocks() == 0},
          {"start", changes(playback.start)},
          {"rounds", std::move(rounds)}};
}

// Returns the links that a panel's arrows use, the most loaded first.
Json loads(const Panel& panel, const Topology& topology) {
  std::map<int, int> count;
  for (const Arrow& arrow : panel.arrows)
    for (const int link : arrow.way) ++count[link];
  std::vector<std::pair<int, int>> order(count.begin(), count.end());
  std::ranges::stable_sort(order, std::greater(), &std::pair<int, int>::second);
  Json list = Json::array();
  for (const auto& [link, load] : order) {
    const DirectedLink ends = topology.ends(link);
    list.push_back({{vertex_text(topology, ends.from), vertex_text(topology, ends.to)}, load});
  }
  return list;
}

Json congested(const Panel& panel) {
  Json list = Json::array();
  for (const auto& [link, load] : congested_links(panel)) list.push_back({link, load});
  return list;
}

// Returns the labels of loads and blocks where there is room for them.
Json labels(const PanelMarks& marks) {
  Json list = Json::array();
  for (const Label& label : marks.labels) {
    Json place = json_pair(label.at);
    list.push_back({{"text", label.text},
                    {"at", std::move(place)},
                    {"size", label.size},
                    {"hue", label.ink == ink(Ink::warning) ? Json() : Json(label.ink - hue(0))}});
  }
  return list;
}

Json round_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement) {
  const PanelMarks marks = marks_of(panel, topology, arrangement);
  Json list = Json::array();
  for (std::size_t i = 0; i < marks.arrows.size(); ++i) {
    const Arrow& arrow = panel.arrows[i];
    list.push_back({{"from", arrow.transfer.from},
                    {"to", arrow.transfer.to},
                    {"blocks", arrow.blocks},
                    {"combined", arrow.transfer.effect != Effect::replace},
                    {"hue", arrow.colour},
                    {"path", line(marks.arrows[i].points)}});
  }
  return {{"messages", std::move(list)},
          {"loads", loads(panel, topology)},
          {"congested", congested(panel)},
          {"labels", labels(marks)}};
}

// What the colours of blocks mean, and whether messages are combined.
Json legend(const Rounds& rounds, const Schedule& schedule) {
  Json classes = Json::array();
  for (int colour = 0; rounds.colours > 1 && colour < std::min(rounds.colours, schedule.blocks()); ++colour)
    classes.push_back(class_text(schedule, colour, rounds.colours));
  return {{"classes", std::move(classes)}, {"combines", rounds.combines}, {"replaces", rounds.replaces}};
}

// The arrangement, moved so that lanes outside of it fit into the page's picture, and how large that is.
std::pair<Arrangement, Point> fitted(const Topology& topology, const std::vector<Panel>& panels) {
  Arrangement arrangement = vnode::arrangement(topology, 640);
  Drawing extent = nodes_and_links(topology, arrangement);
  for (const Panel& panel : panels)
    for (Stroke& arrow : marks_of(panel, topology, arrangement).arrows)
      extent.strokes.push_back(std::move(arrow));
  constexpr double margin = 24;
  const Box box = bounds(extent);
  const Point by{margin - box.x, margin - box.y};
  for (Point& point : arrangement.at) point = point + by;
  for (std::vector<Point>& bends : arrangement.bends)
    for (Point& point : bends) point = point + by;
  return {arrangement, {box.width + 2 * margin, box.height + 2 * margin}};
}

Json data_of(const RoundsPage& page) {
  const Topology& topology = page.topology;
  const Rounds rounds = rounds_of({.title = page.title,
                                   .schedule = page.schedule,
                                   .topology = topology,
                                   .routing = page.routing,
                                   .panels = Panels::rounds,
                                   .colours = page.colours});
  const std::size_t count = page.schedule.rounds().size();
  const auto [arrangement, size] = fitted(topology, rounds.panels);
  Json json{{"title", page.title},
            {"topology", topology.text()},
            {"nodes", topology.nodes()},
            {"routing", enums::name(page.routing)},
            {"width", size.x},
            {"height", size.y},
            {"radius", arrangement.radius},
            {"vertices", Json::array()},
            {"links", Json::array()},
            {"rounds", Json::array()},
            {"runs", Json::array()},
            {"legend", legend(rounds, page.schedule)}};
  for (int vertex = 0; vertex < topology.vertices(); ++vertex) {
    Json place = json_pair(at(arrangement.at, vertex));
    place.push_back(arrangement.reach(topology, vertex));
    json["vertices"].push_back(std::move(place));
  }
  for (int link = 0; arrangement.links_shown && link < topology.links(); ++link)
    json["links"].push_back(line(arrangement.along(topology, 2 * link)));
  for (std::size_t i = 0; i < count; ++i) {
    json["rounds"].push_back(round_of(rounds.panels[i], topology, arrangement));
    json["rounds"].back()["times"] = Json::array();
  }
  for (const Timeline& run : page.runs) {
    json["runs"].push_back({{"title", run.title}, {"seconds", run.seconds}});
    const std::vector<Json> times = round_times(run, count);
    for (std::size_t i = 0; i < count; ++i) json["rounds"][i]["times"].push_back(times[i]);
  }
  json["held"] = held(page);
  return json;
}

// In a script element nothing may look like its end.
std::string in_script(const Json& json) {
  std::string text;
  for (const char character : json.dump(-1, ' ', false, Json::error_handler_t::replace))
    if (character == '<')
      text += "\\u003c";
    else
      text += character;
  return text;
}

}  // namespace

std::string page(const RoundsPage& page, Theme theme) {
  if (page.topology.nodes() > most_nodes_played)
    throw UsageError(
        fmt::format("a page of {} nodes cannot be read: up to {}", page.topology.nodes(), most_nodes_played));
  const std::map<std::string_view, std::string> parts = {
      {"theme", std::string(at(page_themes, theme))},
      {"title", escaped(page.title)},
      {"css", std::string(base_css) + std::string(page_css)},
      {"js", std::string(page_js)},
      {"data", in_script(data_of(page))}};
  std::string text;
  std::string_view rest = page_html;
  for (std::size_t open = rest.find("{{"); open != std::string_view::npos; open = rest.find("{{")) {
    const std::size_t close = rest.find("}}", open);
    text.append(rest.substr(0, open)).append(parts.at(rest.substr(open + 2, close - open - 2)));
    rest.remove_prefix(close + 2);
  }
  return text.append(rest);
}

}  // namespace vnode
