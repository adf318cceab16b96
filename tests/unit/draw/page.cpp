#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <vnode/error.hpp>
#include <vnode/lab/draw.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/algorithms.hpp>

#include "draw/playback.hpp"

using namespace vnode;
using Json = nlohmann::json;

namespace {

RoundsPage page_of(std::string_view name, const Shape& shape, const Parameters& parameters) {
  const Algorithm& wanted = algorithm(name);
  RoundsPage contents{.title = std::string(name),
                      .schedule = wanted.build(parameters),
                      .topology = Topology(shape, parameters.nodes)};
  contents.contract = contract(wanted.collective, parameters, contents.schedule.blocks());
  return contents;
}

Json data_of(const std::string& html) {
  const std::string open = R"(id="data">)";
  const std::size_t begin = html.find(open) + open.size();
  return Json::parse(html.substr(begin, html.find("</script>", begin) - begin));
}

// Returns what a place holds after all rounds.
std::string finally(const Playback& playback, Rank node, int block) {
  std::string text;
  const auto look = [&](const std::vector<Change>& changes) {
    for (const Change& change : changes)
      if (change.node == node && change.block == block) text = to_text(change.now);
  };
  look(playback.start);
  for (const auto& round : playback.rounds) look(round);
  return text;
}

}  // namespace

TEST_CASE("the page carries the schedule, and no address") {
  const RoundsPage contents = page_of("broadcast_low_bit_first", shapes::array{}, {.nodes = 8});
  const std::string html = page(contents);
  const Json data = data_of(html);
  CHECK(data["nodes"] == 8);
  REQUIRE(data["rounds"].size() == 3);
  CHECK(data["rounds"][2]["messages"].size() == 4);
  CHECK(data["rounds"][2]["loads"][0] == Json{{"3", "4"}, 4});
  CHECK(data["rounds"][1]["congested"].size() == 1);
  CHECK(data["rounds"][2]["congested"].size() == 5);
  CHECK(html.find("http:") == std::string::npos);
  CHECK(html.find("https:") == std::string::npos);
  CHECK(html.find("{{") == std::string::npos);
  CHECK(page(contents, Theme::dark).find("data-theme=\"dark\"") != std::string::npos);
}

TEST_CASE("a title cannot end the script or the heading") {
  RoundsPage contents = page_of("broadcast_linear", shapes::full{}, {.nodes = 2});
  contents.title = "</script><h1>\"{{js}}\"&\xff";
  const std::string html = page(contents);
  CHECK(html.find("</script><h1>") == std::string::npos);
  CHECK(data_of(html)["title"] == "</script><h1>\"{{js}}\"&\uFFFD");
}

TEST_CASE("rounds have the times of the runs, and none where a run has no message of theirs") {
  RoundsPage contents = page_of("broadcast_linear", shapes::full{}, {.nodes = 3});
  contents.runs = {{.title = "one",
                    .nodes = 3,
                    .seconds = 2,
                    .messages = {{.round = 0, .from = 0, .to = 1, .start = 0.5, .end = 2}}}};
  const Json data = data_of(page(contents));
  CHECK(data["runs"] == Json::parse(R"([{"title":"one","seconds":2.0}])"));
  CHECK(data["rounds"][0]["times"] == Json::parse("[[0.0,1.5]]"));
  CHECK(data["rounds"][1]["times"] == Json::parse("[null]"));
}

TEST_CASE("the page's clock begins with the first message and never runs back") {
  RoundsPage contents = page_of("broadcast_linear", shapes::full{}, {.nodes = 4});
  contents.runs = {{.title = "one",
                    .nodes = 4,
                    .seconds = 3,
                    .messages = {{.round = 0, .from = 0, .to = 1, .start = 1, .end = 3},
                                 {.round = 1, .from = 0, .to = 2, .start = 1.5, .end = 2},
                                 {.round = 2, .from = 0, .to = 3, .start = 2, .end = 4}}}};
  const Json data = data_of(page(contents));
  CHECK(data["rounds"][0]["times"] == Json::parse("[[0.0,2.0]]"));
  CHECK(data["rounds"][1]["times"] == Json::parse("[[2.0,2.0]]"));
  CHECK(data["rounds"][2]["times"] == Json::parse("[[2.0,3.0]]"));
}

TEST_CASE("the page has a legend, and labels where there is room for them") {
  const Json data = data_of(page(page_of("all_gather_ring", shapes::ring{}, {.nodes = 6})));
  CHECK(data["legend"]["classes"][5] == "block 5");
  CHECK(data["legend"]["combines"] == false);
  CHECK(data["rounds"][0]["labels"].size() == 6);
  const Json congested = data_of(page(page_of("broadcast_low_bit_first", shapes::array{}, {.nodes = 8})));
  CHECK(congested["rounds"][1]["labels"][0]["text"] == "2×");
  CHECK(congested["rounds"][1]["labels"][0]["hue"].is_null());
}

TEST_CASE("a message to its own sender has no way, and stops neither page nor picture") {
  const Topology topology(shapes::ring{}, 3);
  Schedule schedule(3, 1);
  schedule.next_round().push_back({1, 1, Blocks::whole, Effect::replace});
  CHECK_NOTHROW(page({.title = "", .schedule = schedule, .topology = topology}));
  CHECK_NOTHROW(draw(RoundsPicture{.title = "", .schedule = schedule, .topology = topology}, Pen::svg));
}

TEST_CASE("what nodes hold is left out where it is too much, and too many nodes are refused") {
  CHECK(data_of(page(page_of("all_to_all_direct", shapes::full{}, {.nodes = 16})))["held"]["blocks"] == 256);
  CHECK(data_of(page(page_of("all_to_all_direct", shapes::full{}, {.nodes = 64})))["held"].is_null());
  CHECK_THROWS_AS(page(page_of("broadcast_binomial", shapes::ring{}, {.nodes = 257})), UsageError);
}

TEST_CASE("a replay counts contributions") {
  for (const int nodes : {1, 5, 8}) {
    const RoundsPage sum = page_of("all_reduce_binomial", shapes::full{}, {.nodes = nodes});
    const Playback replayed = playback(sum.schedule, &*sum.contract);
    for (Rank rank = 0; rank < nodes; ++rank)
      CHECK(finally(replayed, rank, 0) == (nodes == 1 ? "0" : "0-" + std::to_string(nodes - 1)));
  }
  const Schedule twice = schedule_from_text("nodes 2 blocks 1\n1: 0>+1\n2: 0>+1\n");
  CHECK(finally(playback(twice, nullptr), 1, 0) == "0×2,1");
}

TEST_CASE("without a contract it is found who brings what") {
  for (const char* name :
       {"broadcast_binomial", "reduce_binomial", "all_gather_ring", "scatter_binomial", "gather_binomial"}) {
    const RoundsPage contents = page_of(name, shapes::full{}, {.nodes = 6});
    const Playback given = playback(contents.schedule, &*contents.contract),
                   found = playback(contents.schedule, nullptr);
    for (Rank rank = 0; rank < 6; ++rank)
      for (const Interval& blocks : contents.contract->shares[static_cast<std::size_t>(rank)].output)
        for (int block = blocks.first; block < blocks.last; ++block)
          if (!finally(found, rank, block).empty())
            CHECK(finally(found, rank, block) == finally(given, rank, block));
    CHECK(found.rounds.size() == given.rounds.size());
    for (std::size_t round = 0; round < found.rounds.size(); ++round)
      CHECK(found.rounds[round].size() == given.rounds[round].size());
  }
}

TEST_CASE("signals carry what their senders know") {
  const RoundsPage barrier = page_of("barrier_dissemination", shapes::full{}, {.nodes = 6});
  const Playback replayed = playback(barrier.schedule, &*barrier.contract);
  for (Rank rank = 0; rank < 6; ++rank) CHECK(finally(replayed, rank, 0) == "0-5");
}

TEST_CASE("blocks that are not there do not arrive, and a wrong contract is refused") {
  const Schedule schedule = schedule_from_text("nodes 3 blocks 1\n1: 1>2\n");
  const Contract contract = broadcast_contract(3, 1, 0);
  CHECK(finally(playback(schedule, &contract), 2, 0).empty());
  const Contract other = broadcast_contract(4, 1, 0);
  CHECK_THROWS_AS(playback(schedule, &other), UsageError);
}
