// Nodes of several processes, on as many machines as mpirun starts them on:
//
//     mpirun --bind-to none -n 2 cluster_hello
#include <cstdio>
#include <functional>

#include <vnode/cluster.hpp>

int main(int argc, char** argv) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  {
    vnode::Cluster cluster{MPI_COMM_WORLD, 4};
    cluster.run([&](vnode::Node& me) {
      const int sum = me.all_reduce(3, std::plus<>{});
      if (me.rank() == 0)
        std::printf("hello from %d nodes in %d processes: 3 from each makes %d\n", me.size(),
                    cluster.processes(), sum);
    });
  }
  MPI_Finalize();
}
