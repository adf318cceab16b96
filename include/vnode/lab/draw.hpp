#pragma once

#include <optional>
#include <string>
#include <vector>

#include <vnode/lab/link_loads.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/machine.hpp>
#include <vnode/model/placement.hpp>
#include <vnode/model/schedule.hpp>
#include <vnode/model/timeline.hpp>
#include <vnode/topology.hpp>

#pragma GCC visibility push(default)
namespace vnode {

/// Names the output format of a picture.
enum class Pen {
  svg,   ///< an SVG document without outside fonts or addresses, with title and description
  text,  ///< plain characters
};

/// Names the colours of a picture.
enum class Theme {
  automatic,  ///< as the reader's system has it
  light,
  dark
};

/// Says how the rounds of a picture are laid out.
enum class Panels {
  one,      ///< all in one panel, numbered on the arrows
  rounds,   ///< a panel for each
  animated  ///< a panel for each, one after the other at the same place, over and over: an SVG that moves,
            ///< for slides; the first where nothing is to move
};

/// The SVG pen draws at most so many nodes; the text pen writes any number.
inline constexpr int max_drawn_nodes = 1024;

/// Describes a picture of the topology with the messages of a schedule along their paths. Links that carry
/// more than one message in a round are in the warning colour, with that number.
struct RoundsPicture {
  std::string title = {};                        ///< for people
  Schedule schedule;                             ///< the schedule, for as many nodes as the topology has
  Topology topology;                             ///< the topology that the messages travel on
  Routing routing = topology.default_routing();  ///< the rule that determines paths
  std::optional<int> round = std::nullopt;       ///< the only round to draw, from 0; none: all
  std::optional<Panels> panels = std::nullopt;   ///< by default one where that can be read
  int colours =
      0;  ///< classes of blocks with a colour each: block mod colours; 0: by block where they are few
  /// The number of machines, as many consecutive ranks on each (Interconnect::machines). If there are
  /// several, each is a box, and messages go straight: the topology is full, and not drawn.
  int machines = 1;
  /// Says what the schedule is to achieve. Blocks of an all_to_all are then named {sources,destinations}.
  std::optional<Contract> contract = std::nullopt;
  /// Beside each node stands what it holds before the round, of what is needed later on, and a last panel
  /// shows the end. It needs a contract.
  bool states = false;
  bool binary = false;  ///< ranks are written as binary numbers
};

/// Describes a picture with nodes from top to bottom, time from left to right, and messages as arrows;
/// several runs one below the other on one scale.
struct SpaceTimePicture {
  std::string title = {};           ///< for people
  std::vector<Timeline> runs = {};  ///< the prediction first
  /// The number of machines, as many consecutive ranks on each. If there are several, the nodes of each stand
  /// in a box with its number, and messages between machines are wider.
  int machines = 1;
};

/// Describes a picture of the topology with its links coloured by the share of a run's time that they were in
/// use, each direction on the right of its path.
struct HeatMapPicture {
  std::string title = {};         ///< for people
  Topology topology;              ///< the topology that the links belong to
  std::vector<LinkUse> use = {};  ///< the links that were used
  std::string run = {};           ///< the run's description, below the title: "predicted, 1024 bytes"
  double seconds = 0;             ///< the run's time; if it is less than the longest use, that is taken
};

/// Describes a picture of the machine as nested boxes, with the ranks of the nodes in the PUs they run on.
struct MappingPicture {
  std::string title = {};  ///< for people
  Machine machine;         ///< the machine, all of which is drawn
  Mapping mapping;         ///< the mapping, with indices of its PUs
  std::string note = {};   ///< below the title: "16 links between NUMA nodes"
};

/// Returns the picture. Throws UsageError if its parts do not belong together (another p; a routing, round,
/// link or PU that does not exist), or if the pen is svg and there are more than max_drawn_nodes nodes.
std::string draw(const RoundsPicture& picture, Pen pen, Theme theme = Theme::automatic);
/// Returns the picture; throws as above.
std::string draw(const SpaceTimePicture& picture, Pen pen, Theme theme = Theme::automatic);
/// Returns the picture; throws as above.
std::string draw(const HeatMapPicture& picture, Pen pen, Theme theme = Theme::automatic);
/// Returns the picture; throws as above.
std::string draw(const MappingPicture& picture, Pen pen, Theme theme = Theme::automatic);

/// Describes a page that plays the rounds of a schedule: what travels, what every node holds, the loads of
/// the links, the clock.
struct RoundsPage {
  std::string title = {};                           ///< for people
  Schedule schedule;                                ///< the schedule, for as many nodes as the topology has
  Topology topology;                                ///< the topology that the messages travel on
  Routing routing = topology.default_routing();     ///< the rule that determines paths
  std::optional<Contract> contract = std::nullopt;  ///< by default found from what nodes send
  std::vector<Timeline> runs = {};  ///< runs whose times go with the rounds; the prediction first
  int colours = 0;                  ///< as of a RoundsPicture
};

/// Returns the page: one HTML file that needs no network, for keyboard and screen reader too. Throws what
/// draw() throws, and UsageError if there are more than 256 nodes.
std::string page(const RoundsPage& page, Theme theme = Theme::automatic);

}  // namespace vnode
#pragma GCC visibility pop
