#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/contract.hpp>
#include <vnode/lab/link_loads.hpp>
#include <vnode/lab/machine.hpp>
#include <vnode/lab/placement.hpp>
#include <vnode/lab/schedule.hpp>
#include <vnode/lab/timeline.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// What a picture is drawn with.
enum class Pen {
  svg,   ///< a document of its own: no outside fonts or addresses, with title and description
  text,  ///< characters
};

/// The colours of a picture.
enum class Theme {
  automatic,  ///< as the reader's system has it
  light,
  dark
};

/// The most nodes that the SVG pen draws; the text pen writes any number.
inline constexpr int max_drawn_nodes = 1024;

/// The topology with the messages of a schedule along their ways. Links that carry more than one message in a
/// round are in the warning colour, with that number.
struct RoundsPicture {
  std::string title = {};                        ///< for people
  Schedule schedule;                             ///< p as the topology's
  Topology topology;                             ///< where the messages travel
  Routing routing = topology.default_routing();  ///< by which rule
  std::optional<int> round = std::nullopt;       ///< only this one, from 0
  std::optional<bool> together = std::nullopt;   ///< all rounds in one panel, numbered on the arrows, or a
                                                 ///< panel each; by default the former where it can be read
  int colours =
      0;  ///< classes of blocks with a colour each: block mod colours; 0: by block where they are few
};

/// Nodes from top to bottom, time from left to right, messages as arrows; several runs one below the other on
/// one scale.
struct SpaceTimePicture {
  std::string title = {};           ///< for people
  std::vector<Timeline> runs = {};  ///< the prediction first
};

/// The topology with its links coloured by the share of a run's time that they were in use, each direction on
/// the right of its way.
struct HeatMapPicture {
  std::string title = {};         ///< for people
  Topology topology;              ///< whose links they are
  std::vector<LinkUse> use = {};  ///< links that are not in it were not used
  std::string run = {};           ///< what run it was, below the title: "predicted, 1024 bytes"
  double seconds = 0;             ///< the run's time; less than the longest use: that one
};

/// The machine as nested boxes, with the ranks of the nodes in the PUs they run on.
struct MappingPicture {
  std::string title = {};  ///< for people
  Machine machine;         ///< all of it
  Mapping mapping;         ///< indices of its PUs
  std::string note = {};   ///< below the title: "16 links between NUMA nodes"
};

/// The picture. UsageError if its parts do not belong together: p, routing, round, links or PUs that do not
/// exist; or if the pen is svg and there are more than max_drawn_nodes nodes.
std::string draw(const RoundsPicture& picture, Pen pen, Theme theme = Theme::automatic);
/// The same.
std::string draw(const SpaceTimePicture& picture, Pen pen, Theme theme = Theme::automatic);
/// The same.
std::string draw(const HeatMapPicture& picture, Pen pen, Theme theme = Theme::automatic);
/// The same.
std::string draw(const MappingPicture& picture, Pen pen, Theme theme = Theme::automatic);

/// A page that plays the rounds of a schedule: what travels, what every node holds, the loads of the links,
/// the clock.
struct RoundsPage {
  std::string title = {};                           ///< for people
  Schedule schedule;                                ///< p as the topology's
  Topology topology;                                ///< where the messages travel
  Routing routing = topology.default_routing();     ///< by which rule
  std::optional<Contract> contract = std::nullopt;  ///< what nodes bring; otherwise found from what they send
  std::vector<Timeline> runs = {};                  ///< their times go with the rounds; the prediction first
  int colours = 0;                                  ///< as of a RoundsPicture
};

/// The page: one HTML file that needs no network, for keyboard and screen reader too. UsageError as of
/// draw(), and if there are more than 256 nodes.
std::string page(const RoundsPage& page, Theme theme = Theme::automatic);

}  // namespace vnode
#pragma GCC visibility pop
