#include "record/journal.hpp"

#include <doctest/doctest.h>

namespace {

const vnode::CallKind summing{"reduce", "reduce_binomial", "double", "std::plus<void>", {}, 3, 1};
const vnode::CallKind receiving{"recv", {}, {}, {}, {}, -1, 2};

}  // namespace

TEST_CASE("a journal says of the newest call what it waits for, once that takes long") {
  vnode::Journal journal;
  CHECK(text_of(journal.current()) == "is in no vnode call");
  journal.begin(0, {7, 0}, {&summing, 100});
  CHECK(text_of(journal.current()) == "is in call 7 (" + vnode::CallRecord{&summing, 100}.text() + ")");
  journal.wait(0, 7, 2, 5);
  CHECK(text_of(journal.current()) ==
        "is in call 7 (" + vnode::CallRecord{&summing, 100}.text() + "), round 2, and waits for node 5");
  journal.wait(0, 7, 3, -1);
  CHECK(text_of(journal.current()) == "is in call 7 (" + vnode::CallRecord{&summing, 100}.text() +
                                          "), round 3, and waits for several nodes");
  journal.end();
  CHECK(text_of(journal.current()) == "is in no vnode call");
}

TEST_CASE("what a journal's node has waited for is forgotten when its next call begins") {
  vnode::Journal journal;
  const std::uint16_t messages = vnode::message_context;
  for (const int peer : {1, 2}) {
    journal.begin_message(messages, 4, {&receiving, 1});
    CHECK(text_of(journal.current()) == "is in recv of 1 element with tag 4");
    journal.wait(messages, 4, 0, peer);
    CHECK(text_of(journal.current()) ==
          "is in recv of 1 element with tag 4, and waits for node " + std::to_string(peer));
    journal.end();
  }
}

TEST_CASE("of two calls in flight a journal names the one that is waited for") {
  vnode::Journal journal;
  journal.begin(0, {7, 0}, {&summing, 100});
  journal.begin(1, {3, 0}, {&summing, 1});
  journal.wait(0, 7, 1, 2);
  CHECK(text_of(journal.current()) ==
        "is in call 7 (" + vnode::CallRecord{&summing, 100}.text() + "), round 1, and waits for node 2");
}
