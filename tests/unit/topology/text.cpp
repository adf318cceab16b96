#include <doctest/doctest.h>

#include <vnode/topology.hpp>

#include "message.hpp"

using vnode::Family;
using vnode::Shape;
using vnode::Topology;

TEST_CASE("the text of a shape is read back as the same shape") {
  for (const char* text : {"array", "ring", "mesh", "mesh:4x4", "mesh:1x7", "mesh:3x1x2x5", "torus",
                           "torus:2x3x4", "torus:256x128", "hypercube", "tree", "full"}) {
    CAPTURE(text);
    CHECK(Shape::parse(text).text() == text);
    CHECK(Shape::parse(Shape::parse(text).text()) == Shape::parse(text));
  }
}

TEST_CASE("shapes as types are the shapes of their text") {
  CHECK(vnode::shapes::array{} == Shape::parse("array"));
  CHECK(vnode::shapes::ring{} == Shape::parse("ring"));
  CHECK(vnode::shapes::mesh{} == Shape::parse("mesh"));
  CHECK(vnode::shapes::mesh{4, 5} == Shape::parse("mesh:4x5"));
  CHECK(vnode::shapes::torus{} == Shape::parse("torus"));
  CHECK(vnode::shapes::torus{2, 3, 4} == Shape::parse("torus:2x3x4"));
  CHECK(vnode::shapes::hypercube{} == Shape::parse("hypercube"));
  CHECK(vnode::shapes::tree{} == Shape::parse("tree"));
  CHECK(vnode::shapes::full{} == Shape::parse("full"));
  CHECK(vnode::shapes::mesh{4, 5} != vnode::shapes::mesh{5, 4});
  CHECK(vnode::shapes::mesh{4, 5} != vnode::shapes::torus{4, 5});
}

TEST_CASE("extents tell the number of nodes, bare shapes do not") {
  CHECK(Shape::parse("torus:2x3x4").nodes() == 24);
  CHECK(!Shape::parse("torus").nodes());
  CHECK(!Shape::parse("hypercube").nodes());
}

TEST_CASE("a bare mesh or torus takes the squarest factorisation, rows <= columns") {
  CHECK(Topology(vnode::shapes::mesh{}, 16).text() == "mesh:4x4");
  CHECK(Topology(vnode::shapes::mesh{}, 8).text() == "mesh:2x4");
  CHECK(Topology(vnode::shapes::torus{}, 30).text() == "torus:5x6");
  CHECK(Topology(vnode::shapes::mesh{}, 7).text() == "mesh:1x7");
  CHECK(Topology(vnode::shapes::mesh{}, 1).text() == "mesh:1x1");
  CHECK(Topology(vnode::shapes::mesh{}, vnode::max_nodes).text() == "mesh:1024x1024");
}

TEST_CASE("families have names") {
  CHECK(vnode::families().size() == 7);
  for (const Family family : vnode::families())
    CHECK(vnode::parse_family(vnode::enums::name(family)) == family);
  CHECK(message([] { vnode::parse_family("mesh:4x4"); }) ==
        "there is no topology \"mesh:4x4\": there are array, ring, mesh, torus, hypercube, tree and full");
}

TEST_CASE("bad texts are refused with a sentence that says what would be right") {
  const auto refusal = [](const char* text) { return message([=] { Shape::parse(text); }); };
  const std::string known = ": there are array, ring, mesh, torus, hypercube, tree and full";
  CHECK(refusal("") == "there is no topology \"\"" + known);
  CHECK(refusal("Ring") == "there is no topology \"Ring\"" + known);
  CHECK(refusal(" ring") == "there is no topology \" ring\"" + known);
  CHECK(refusal("star:4") == "there is no topology \"star\"" + known);
  CHECK(refusal(":4x4") == "there is no topology \"\"" + known);

  CHECK(refusal("mesh:0x4") == "\"mesh:0x4\": every extent is at least 1, as in mesh:1x4");
  CHECK(refusal("torus:3x-2x4") == "\"torus:3x-2x4\": every extent is at least 1, as in torus:3x1x4");
  CHECK(refusal("mesh:0") == "\"mesh:0\": every extent is at least 1, as in mesh:1");

  const auto not_numbers = [](const std::string& text, const std::string& family) {
    return "\"" + text + "\": extents are whole numbers joined by x, as in " + family + ":4x4";
  };
  for (const char* text : {"mesh:", "mesh:4x", "mesh:x4", "mesh:4xx4", "mesh:4X4", "mesh:4,4", "mesh:4x4 ",
                           "mesh: 4x4", "mesh:+4x4", "mesh:4.5x2", "mesh:axb", "mesh:4x4:", "mesh:4x4x"})
    CHECK(refusal(text) == not_numbers(text, "mesh"));
  CHECK(refusal("torus:q") == not_numbers("torus:q", "torus"));

  CHECK(refusal("mesh:16") == "\"mesh:16\": a mesh has at least 2 extents; in one dimension it is \"array\"");
  CHECK(refusal("torus:16") ==
        "\"torus:16\": a torus has at least 2 extents; in one dimension it is \"ring\"");
  CHECK(refusal("mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1") ==
        "\"mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1\": a mesh has at most 20 extents");

  CHECK(refusal("mesh:65536x65536") == "\"mesh:65536x65536\": a topology has at most 1048576 nodes");
  CHECK(refusal("mesh:1048577x1") == "\"mesh:1048577x1\": a topology has at most 1048576 nodes");
  CHECK(refusal("mesh:1024x1025") == "\"mesh:1024x1025\": a topology has at most 1048576 nodes");
  CHECK(refusal("mesh:1024x1024") == "");
  CHECK(refusal("torus:1x99999999999") == "\"torus:1x99999999999\": a topology has at most 1048576 nodes");

  for (const char* family : {"array", "ring", "hypercube", "tree", "full"})
    for (const char* extents : {":", ":8", ":4x4", ":junk"}) {
      const std::string text = std::string(family) + extents;
      CHECK(refusal(text.c_str()) == "\"" + text + "\": only mesh and torus take extents; write \"" + family +
                                         "\" and give the number of nodes apart");
    }
}

TEST_CASE("shapes made of numbers are refused as their texts are") {
  CHECK(message([] {
          vnode::shapes::mesh{0, 4};
        }) == "\"mesh:0x4\": every extent is at least 1, as in mesh:1x4");
  CHECK(message([] { vnode::shapes::torus{5}; }) ==
        "\"torus:5\": a torus has at least 2 extents; in one dimension it is \"ring\"");
  const int extents[] = {8};
  CHECK(message([&] { Shape(Family::tree, extents); }) ==
        "\"tree:8\": only mesh and torus take extents; write \"tree\" and give the number of nodes apart");
}

TEST_CASE("numbers of nodes that disagree with the shape are refused") {
  const auto refusal = [](const char* text, int nodes) {
    return message([=] { Topology(Shape::parse(text), nodes); });
  };
  CHECK(refusal("mesh:4x4", 15) == "mesh:4x4 has 16 nodes, not 15: mesh:3x5 would be right");
  CHECK(refusal("torus:2x3x4", 17) == "torus:2x3x4 has 24 nodes, not 17: torus:1x17 would be right");
  CHECK(refusal("hypercube", 6) == "a hypercube has a power of two of nodes, not 6: 4 or 8 would be right");
  CHECK(refusal("tree", 6) == "a tree has a power of two of nodes, not 6: 4 or 8 would be right");
  for (const Family family : vnode::families()) {
    const std::string text{vnode::enums::name(family)};
    CHECK(refusal(text.c_str(), 0) == "a topology has at least 1 node, not 0");
    CHECK(refusal(text.c_str(), -8) == "a topology has at least 1 node, not -8");
    CHECK(refusal(text.c_str(), 1048577) == "a topology has at most 1048576 nodes, not 1048577");
    CHECK(refusal(text.c_str(), 1) == "");
    if (family != Family::full) CHECK(refusal(text.c_str(), 1048576) == "");
  }
  CHECK(refusal("full", 32768) == "");
  CHECK(refusal("full", 32769) ==
        "a full topology has at most 32768 nodes, not 32769: it would have more links than can be numbered; "
        "hypercube or torus would be right");
  CHECK(refusal("mesh:4x4", 0) == "a topology has at least 1 node, not 0");
}
