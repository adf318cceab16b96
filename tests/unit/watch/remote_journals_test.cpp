#include "watch/remote_journals.hpp"

#include <doctest/doctest.h>

#include "channel/context.hpp"

namespace {

const vnode::CallKind told_reduce{"reduce", "reduce_binomial", "double", "std::plus<void>", "in place", 3,
                                  17};
const vnode::CallKind told_gather{"gather", "gather_direct", "int", {}, {}, 0, 18, true};

}  // namespace

TEST_CASE("what a journal tells another process knows, with signatures and hashes") {
  vnode::Journal here, there;
  vnode::History history;
  history.add(vnode::CallRecord{&told_reduce, 100}.signature());
  here.begin(0, history, {&told_reduce, 100});
  const vnode::History first = history;
  history.add(vnode::CallRecord{&told_gather, 9}.signature());
  here.begin(0, history, {&told_gather, 9});
  here.begin(5, {40, 7}, {&told_reduce, 1});
  vnode::MessageBuffer said;
  vnode::RemoteJournals::tell(said, here);
  said.add(std::uint64_t{77});
  vnode::RemoteJournals told;
  told.hear(said, there);
  CHECK(said.number() == 77);
  const auto same = [&](std::uint16_t context, std::uint32_t call) {
    const auto ours = here.find(context, call), theirs = there.find(context, call);
    REQUIRE(ours);
    REQUIRE(theirs);
    CHECK(theirs->text() == ours->text());
    CHECK(theirs->signature() == ours->signature());
    CHECK(theirs->past == ours->past);
  };
  same(0, first.call);
  same(0, history.call);
  same(5, 40);
  CHECK_FALSE(there.find(5, 41));
}

TEST_CASE("of what is told of a history the newest counts, in whichever order it comes") {
  vnode::MemberState state;
  vnode::History older, newer;
  older.add(3);
  newer = older;
  newer.add(4);
  state.learn(newer.word());
  state.learn(older.word());
  CHECK(state.history.load() == newer.word());
  state.begin_at(0xffffffff);
  vnode::History wrapped{0xffffffff, 0};
  wrapped.add(5);
  state.learn(wrapped.word());
  CHECK(state.history.load() == wrapped.word());
}
