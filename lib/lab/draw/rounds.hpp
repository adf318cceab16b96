#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include <vnode/lab/draw.hpp>

#include "draw/arrangement.hpp"
#include "draw/drawing.hpp"

namespace vnode {

/// Describes a message in a picture of rounds.
struct Arrow {
  int round = 0;
  Transfer transfer = {};     ///< one of those that are this message
  std::string label = {};     ///< its round, or its blocks
  std::string blocks = {};    ///< its blocks
  int colour = 0;             ///< the class of its first block
  std::vector<int> way = {};  ///< directed links
};

/// Describes one or all rounds, on one drawing of the topology.
struct Panel {
  std::string caption = {};
  std::vector<Arrow> arrows = {};
  std::map<int, int> congested = {};     ///< by directed link: messages in a round, where there are 2 or more
  std::vector<std::string> states = {};  ///< what nodes hold before the round, by rank; none: not shown
};

/// Returns by undirected link the greater of the two numbers of messages.
std::map<int, int> congested_links(const Panel& panel);

/// Finds places for labels on lines, so that they overlap neither nodes nor each other.
class Places {
 public:
  /// Takes the drawing's nodes and labels, which keep their places.
  explicit Places(const Drawing& drawing);

  /// Puts the label on `line`, as near to its middle as possible, wherever the label was before. It avoids
  /// `lines` other than number `own` where that can be done. Returns false if there is no place.
  bool find(Label& label, std::span<const Point> line, std::span<const Stroke> lines, std::size_t own);

 private:
  bool is_free(const Box& box) const;

  std::vector<Box> taken_;
};

/// Holds what a panel adds to the nodes and links of its topology.
struct PanelMarks {
  std::vector<Stroke> arrows = {};  ///< of the panel's arrows, in order
  std::vector<Label> labels = {};   ///< loads of congested links, and rounds or blocks of arrows
  int left_out = 0;                 ///< labels that there was no room for
};

/// Returns the marks of a panel at their places; the arrangement's nodes stay free of labels.
PanelMarks marks_of(const Panel& panel, const Topology& topology, const Arrangement& arrangement);

/// Draws the panel with nodes, links, congestion and marks.
Drawing drawn(const Panel& panel, const PanelMarks& marks, const Topology& topology,
              const Arrangement& arrangement);

/// Holds what a picture of rounds shows, whatever it is drawn with.
struct Rounds {
  std::vector<Panel> panels = {};
  int left_out = 0;  ///< rounds for which there is no panel
  int colours = 1;
  bool combines = false;  ///< some messages are combined
  bool replaces = false;  ///< some are not
};

/// Names one of so many classes of blocks: "block 2", "blocks 1, 4, 7, …"; at most three blocks are named.
std::string class_text(const Schedule& schedule, int colour, int colours);

/// Returns what the picture shows. Throws UsageError as draw() does.
Rounds rounds_of(const RoundsPicture& picture);
Drawing drawing_of(const RoundsPicture& picture);

}  // namespace vnode
