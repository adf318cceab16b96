// Tests errors of MPI. Its calls go through functions of this program, which let one of them fail.
#include <array>
#include <atomic>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <mpi.h>
#include <string>
#include <string_view>
#include <vector>

#include <vnode/cluster.hpp>

#include "own_cluster.hpp"

using namespace vnode_test;

namespace {

enum class Call { none, short_send, long_send, short_receive, long_receive, test, ended };

std::atomic<Call> to_fail{Call::none};

/// Once for each time that it is asked for.
bool fails(Call call) {
  Call expected = call;
  return to_fail.compare_exchange_strong(expected, Call::none);
}

/// Wire::most_short, of a header that is not installed.
constexpr int most_short = (48 << 10) + 16;

/// Returns what vnode sends from threads and has no other name: receives of any source are of short messages.
Call sending(int bytes) { return bytes <= most_short ? Call::short_send : Call::long_send; }
Call receiving(int source) { return source == MPI_ANY_SOURCE ? Call::short_receive : Call::long_receive; }

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm over,
              MPI_Request* request) {
  return fails(sending(count)) ? MPI_ERR_OTHER : PMPI_Isend(data, count, type, to, tag, over, request);
}

int MPI_Issend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm over,
               MPI_Request* request) {
  return fails(sending(count)) ? MPI_ERR_OTHER : PMPI_Issend(data, count, type, to, tag, over, request);
}

int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm over,
              MPI_Request* request) {
  return fails(receiving(from)) ? MPI_ERR_OTHER : PMPI_Irecv(data, count, type, from, tag, over, request);
}

int MPI_Test(MPI_Request* request, int* there, MPI_Status* status) {
  return fails(Call::test) ? MPI_ERR_OTHER : PMPI_Test(request, there, status);
}

int MPI_Testsome(int count, MPI_Request* requests, int* there, int* which, MPI_Status* statuses) {
  const int code = PMPI_Testsome(count, requests, there, which, statuses);
  if (code != MPI_SUCCESS || *there <= 0 || !fails(Call::ended)) return code;
  for (int i = 0; i < *there; ++i) statuses[i].MPI_ERROR = i == 0 ? MPI_ERR_OTHER : MPI_SUCCESS;
  return MPI_ERR_IN_STATUS;
}

}  // extern "C"

TEST_CASE("an error of MPI is an exception with its sentence, ends the run of all, and the next run works") {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(MPI_ERR_OTHER, text.data(), &length);
  const std::string of_mpi = std::string(" has failed: ") + text.data();
  vnode::Cluster cluster{MPI_COMM_WORLD, own_nodes(), patient()};
  for (const Call call :
       {Call::short_send, Call::long_send, Call::short_receive, Call::long_receive, Call::test, Call::ended})
    for (int culprit = 0; culprit < cluster.processes(); ++culprit) {
      std::string sentence;
      bool of_system = false;
      try {
        cluster.run([&](vnode::Node& me) {
          const int p = me.size(), next = (me.rank() + 1) % p, before = (me.rank() + p - 1) % p;
          std::vector<double> out(100000, me.rank()), in(out.size());
          me.barrier();
          if (cluster.process() == culprit && me.rank() == cluster.first_here()) to_fail = call;
          // Until it has failed, and the others hear of it.
          for (;;) {
            me.sendrecv(out, next, in, before);
            me.all_reduce(in, out, std::plus<>{});
            me.barrier();
          }
        });
      } catch (const vnode::SystemError& error) {
        of_system = true;
        sentence = error.what();
      } catch (const vnode::Aborted& aborted) {
        sentence = aborted.what();
      }
      INFO("call " << static_cast<int>(call) << " of process " << culprit << ": " << sentence);
      CHECK(sentence.find(of_mpi) != std::string::npos);
      CHECK(of_system == (cluster.process() == culprit));
      CHECK(to_fail == Call::none);
      cluster.run([](vnode::Node& me) {
        std::vector<double> data(100000, 1.0);
        me.all_reduce(data, std::plus<>{});
        CHECK(data.back() == me.size());
      });
    }
}
