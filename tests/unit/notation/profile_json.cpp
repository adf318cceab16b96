#include <doctest/doctest.h>
#include <random>
#include <string>
#include <string_view>

#include <vnode/error.hpp>
#include <vnode/model/profile.hpp>

using namespace vnode;

namespace {

MachineProfile example() {
  MachineProfile profile = typical_profile(Machine::from_synthetic("pack:2 numa:1 l3:2 core:4 pu:2"));
  profile.name = "ex\"ample";
  profile.when = "2026-11-21T19:30:00Z";
  PairCosts& l3 = *profile.pairs[static_cast<std::size_t>(PairClass::same_l3)];
  l3.t_s = {1.25e-7, Origin::measured};
  l3.t_w = {0.1, Origin::given};
  l3.t_w.value = 1.0 / 3 * 1e-9;
  l3.o = {0, Origin::distances};
  profile.banks = {Quantity{1e10, Origin::measured}, std::nullopt};
  profile.links = {{std::nullopt, Quantity{2e9, Origin::given}}, {std::nullopt, std::nullopt}};
  profile.remark = "This machine was busy.";
  profile.tuned = {{Collective::all_reduce, 4, false, 8, {{"all_reduce_ring", 1.5e-6}, {"other", 1}}},
                   {Collective::barrier, 64, true, 0, {}}};
  return profile;
}

/// Returns the example's JSON with `old` replaced, once.
std::string changed(std::string_view old, std::string_view with) {
  std::string text = to_json(example());
  const std::size_t at = text.find(old);
  REQUIRE(at != std::string::npos);
  return text.replace(at, old.size(), with);
}

std::string refusal_of_profile(const std::string& text) {
  try {
    (void)profile_from_json(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a profile's JSON reads back as the same profile, to the last bit") {
  CHECK(profile_from_json(to_json(example())) == example());
  const MachineProfile least = typical_profile(Machine::from_synthetic("pu:1"));
  CHECK(profile_from_json(to_json(least)) == least);
}

TEST_CASE("a number that stands alone was given by somebody") {
  const std::string text =
      changed("{\n        \"value\": 1.25e-07,\n        \"origin\": \"measured\"\n      }", "5e-7");
  CHECK(profile_from_json(text).costs(PairClass::same_l3).t_s == Quantity{5e-7, Origin::given});
}

TEST_CASE("text that is not JSON is refused with line and column") {
  CHECK(refusal_of_profile("") ==
        "profile JSON, line 1, column 1: the text is not JSON, expected '[', '{', or a literal");
  CHECK(refusal_of_profile("{\n  \"name\": nobody\n}")
            .starts_with("profile JSON, line 2, column 12: not JSON at \""));
  CHECK(refusal_of_profile(to_json(example()) + "]").find("not JSON at") != std::string::npos);
  CHECK(refusal_of_profile("{\"name\": \"\xff\"}").find("line 1") != std::string::npos);
  CHECK(refusal_of_profile(changed("1.25e-07", "1e999")).ends_with(": the number 1e999 is too large"));
}

TEST_CASE("nesting that no profile has is refused before it is built") {
  CHECK(refusal_of_profile(std::string(1 << 20, '[')) ==
        "profile JSON: more than 8 arrays and objects in each other");
  std::string objects;
  for (int i = 0; i < 100000; ++i) objects += "{\"a\":";
  CHECK(refusal_of_profile(objects) == "profile JSON: more than 8 arrays and objects in each other");
}

TEST_CASE("keys that are unknown, missing or there twice are named with the way to them") {
  CHECK(refusal_of_profile(changed("\"when\"", "\"wen\"")) ==
        "profile JSON, wen: no such key; there are name, machine, when, remark, pairs, banks, "
        "links, latencies, tuned");
  CHECK(refusal_of_profile(changed("\"same_l3\"", "\"same_l4\""))
            .starts_with("profile JSON, pairs.same_l4: no such key"));
  CHECK(refusal_of_profile(changed("\"L\"", "\"l\""))
            .starts_with("profile JSON, pairs.same_core.l: no such key; there"));
  CHECK(refusal_of_profile(changed("\"origin\"", "\"source\"")) ==
        "profile JSON, pairs.same_core.t_s.source: no such key; there are value, origin");
  CHECK(refusal_of_profile("{\"name\": \"a\", \"machine\": \"\"}") == "profile JSON, when: missing");
  CHECK(refusal_of_profile(changed("\"when\"", "\"name\"")) == "profile JSON: \"name\" is there twice");
  CHECK(refusal_of_profile(changed("\"when\"", "\"a\\n" + std::string(100, 'b') + '"'))
            .starts_with("profile JSON, a\\n" + std::string(37, 'b') + "...: no such key"));
  CHECK(refusal_of_profile(changed("\"o\"", "\"g\"")) == "profile JSON: \"g\" is there twice");
}

TEST_CASE("values that cannot be are refused with the key and what would be right") {
  const std::string t_s = "1.25e-07";
  const std::string here =
      "profile JSON, pairs.same_l3.t_s.value: expected a number from 0 to 1 seconds, not ";
  for (const std::string bad : {"-1.0", "2.0", "\"1e-7\"", "null", "true", "[]", "{}"})
    CHECK(refusal_of_profile(changed(t_s, bad)) == here + bad);
  CHECK(refusal_of_profile(changed("10000000000.0", "1.0")) ==
        "profile JSON, banks[0].value: expected a number from 1000 to 1e+15 bytes per second, not 1.0");
  CHECK(refusal_of_profile(changed("10000000000.0", "1e16"))
            .starts_with("profile JSON, banks[0].value: expected"));
  CHECK(refusal_of_profile(changed("\"origin\": \"typical\"", "\"origin\": \"guessed\"")) ==
        "profile JSON, pairs.same_core.t_s.origin: expected given, typical, hwloc distances, measured or "
        "latencies, not "
        "\"guessed\"");
  CHECK(refusal_of_profile(changed("\"name\": \"ex\\\"ample\"", "\"name\": 7")) ==
        "profile JSON, name: expected a text of at most 1024 bytes, not 7");
  CHECK(refusal_of_profile(changed("ex\\\"ample", std::string(2000, 'x'))).ends_with("x..."));
  CHECK(refusal_of_profile("[]") == "profile JSON: expected an object, not []");
}

TEST_CASE("a profile has a class of pairs, a link for each two banks, and none from a bank to itself") {
  const std::string head = R"({"name": "", "machine": "", "when": "", "pairs": )";
  const std::string one =
      R"({"same_core": {"t_s": 1e-7, "t_w": 0, "L": 0, "o": 0, "g": 0, "G": 0, "t_op": 0, "t_put": 0}})";
  CHECK(refusal_of_profile(head + "{}, \"banks\": [], \"links\": []}") ==
        "profile JSON, pairs: expected at least one class of pairs of a machine, not {}");
  CHECK(refusal_of_profile(head + one + ", \"banks\": [], \"links\": []}") == "accepted");
  CHECK(refusal_of_profile(head + one + ", \"banks\": [null, 1e9], \"links\": [[null, 1e9]]}") ==
        "profile JSON, links: expected a row for each of the 2 banks, or none, not [[null,1000000000.0]]");
  CHECK(refusal_of_profile(head + one + ", \"banks\": [null, 1e9], \"links\": [[null, 1e9], [null]]}") ==
        "profile JSON, links[1]: expected 2 bandwidths, one for each bank, not [null]");
  CHECK(refusal_of_profile(head + one + ", \"banks\": [null, 1e9], \"links\": [[null, 1e9], [1e9, 1e9]]}") ==
        "profile JSON, links[1][1]: expected null: a bank has no link to itself, not 1000000000.0");
  CHECK(refusal_of_profile(head + one + ", \"banks\": {}, \"links\": []}") ==
        "profile JSON, banks: expected a list, not {}");
}

TEST_CASE("a profile whose bytes are changed, cut or doubled is refused, or is one that reads back") {
  const std::string good = to_json(example());
  std::mt19937 random(1);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string text = good;
    const std::size_t at = random() % text.size();
    switch (random() % 4) {
      case 0:
        text[at] = static_cast<char>(random());
        break;
      case 1:
        text.resize(at);
        break;
      case 2:
        text.insert(at, text, random() % text.size(), random() % 30);
        break;
      default:
        text.erase(at, 1 + random() % 20);
    }
    try {
      const MachineProfile read = profile_from_json(text);
      CHECK(profile_from_json(to_json(read)) == read);
    } catch (const UsageError& error) {
      ++refused;
      CHECK(std::string_view(error.what()).starts_with("profile JSON"));
    }
  }
  CHECK(refused > 1000);
}

TEST_CASE("tuned times that make no sense are refused by their place") {
  CHECK(refusal_of_profile(changed("\"all_reduce\"", "\"all\"")) ==
        "profile JSON, tuned[0].collective: expected the name of a collective, not \"all\"");
  CHECK(refusal_of_profile(changed("\"nodes\": 4", "\"nodes\": 0"))
            .starts_with("profile JSON, tuned[0].nodes:"));
  CHECK(refusal_of_profile(changed("\"other\": 1", "\"other\": -1"))
            .starts_with("profile JSON, tuned[0].seconds.other:"));
}
