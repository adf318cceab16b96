#include <doctest/doctest.h>
#include <optional>
#include <string>
#include <utility>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/contract.hpp>
#include <vnode/model/verify.hpp>

using namespace vnode;

TEST_CASE("changes of a schedule are accepted if verify() accepts them, also when it lives no longer") {
  std::optional<ChangeVerifier> verifier;
  {
    const Schedule right = schedule_from_text("nodes 3 blocks 1\n1: 0>1\n2: 0>2");
    verifier.emplace(right, broadcast_contract(3, 1, 0), Promises{.transfers = 2});
  }
  const auto accepts = [&](const char* rounds, int first, int last) {
    const Schedule changed = schedule_from_text(std::string("nodes 3 blocks 1\n") + rounds);
    const bool right = verify(changed, broadcast_contract(3, 1, 0), {.transfers = 2}).empty();
    CHECK(verifier->accepts(changed, first, last) == right);
    return right;
  };
  CHECK(accepts("1: 0>1\n2: 1>2", 1, 1));
  CHECK_FALSE(accepts("1: 0>1\n2: 0>1", 1, 1));
  CHECK_FALSE(accepts("1: 0>1\n2:", 1, 1));
  CHECK(accepts("1: 0>2\n2: 0>1", 0, 1));
  CHECK_FALSE(accepts("1: 1>2\n2: 0>2", 0, 0));
  CHECK(accepts("1: 0>1\n2: 0>2", 0, 1));
}

TEST_CASE("rounds that a schedule does not have cannot differ") {
  const Schedule right = schedule_from_text("nodes 3 blocks 1\n1: 0>1\n2: 0>2");
  ChangeVerifier verifier(right, broadcast_contract(3, 1, 0));
  for (const auto& [first, last] : {std::pair(-1, 0), std::pair(1, 0), std::pair(0, 2)})
    CHECK_THROWS_WITH_AS(verifier.accepts(right, first, last),
                         doctest::Contains("the schedule has 2, numbered from 0"), UsageError);
  const Schedule longer = schedule_from_text("nodes 3 blocks 1\n1: 0>1\n2: 0>2\n3:");
  CHECK_THROWS_WITH_AS(verifier.accepts(longer, 0, 1),
                       "a changed schedule has as many rounds as the right one, 2, not 3", UsageError);
}
