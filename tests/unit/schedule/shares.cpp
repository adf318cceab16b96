#include <doctest/doctest.h>

#include <vnode/error.hpp>
#include <vnode/lab/notation.hpp>
#include <vnode/model/contract.hpp>

using namespace vnode;

namespace {

bool within(const char* text, const Contract& contract) {
  return within_shares(schedule_from_text(text), contract);
}

}  // namespace

TEST_CASE("a schedule is within its shares if nobody carries what is for others") {
  const Contract scatter = scatter_contract(4, 4, 0);
  CHECK(within("nodes 4 blocks 4\n1: 0>1[1]\n2: 0>2[2]\n3: 0>3[3]", scatter));
  CHECK_FALSE(within("nodes 4 blocks 4\n1: 0>2[2-3]\n2: 0>1[1] 2>3[3]", scatter));
  CHECK_FALSE(within("nodes 4 blocks 4\n1: 0>1[1:2]", scatter));
}

TEST_CASE("who takes everything away knows the size of everything it carries") {
  CHECK(within("nodes 3 blocks 3\n1: 0>1[0] 1>2[1] 2>0[2]\n2: 0>1[2] 1>2[0] 2>0[1]",
               all_gather_contract(3, 3)));
  CHECK(within("nodes 2 blocks 1\n1: 1>+0", reduce_contract(2, 1, 0)));
}

TEST_CASE("a block that goes into another's place is of a size that nobody there knows") {
  CHECK_FALSE(within("nodes 3 blocks 3\n1: 0>1[0:2]\n2: 2>1[2] 0>2[0-1] 1>0[1]\n3: 2>1[0] 2>0[2]",
                     all_gather_contract(3, 3)));
  CHECK(within("nodes 2 blocks 2\n1: 0+>1[1:0]", scan_contract(2, 2, 1)));
  CHECK_FALSE(within("nodes 2 blocks 2\n1: 0+>1[1:0]", scan_contract(2, 2, 2)));
}

TEST_CASE("an exchange in pairs is within its shares, one by way of others is not") {
  const Contract contract = all_to_all_contract(3, 9);
  CHECK(within("nodes 3 blocks 9\n1: 0>1[1] 1>2[5] 2>0[6]\n2: 0>2[2] 1>0[3] 2>1[7]", contract));
  CHECK_FALSE(within("nodes 3 blocks 9\n1: 0>1[1-2] 1>2[3,5] 2>0[6-7]\n2: 1>2[2] 2>0[3] 0>1[7]", contract));
}

TEST_CASE("shares of other nodes or blocks are refused") {
  CHECK_THROWS_AS(within("nodes 2 blocks 2\n1: 0>1", broadcast_contract(2, 1, 0)), UsageError);
  CHECK_THROWS_AS(within("nodes 2 blocks 1\n1: 0>1", broadcast_contract(3, 1, 0)), UsageError);
}
