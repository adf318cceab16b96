// Machines by name: sockets, NUMA nodes, L3s and cores as their vendors publish them, PUs numbered as Linux
// does.
#include <array>

#include <vnode/model/machine.hpp>

namespace vnode {
namespace {

constexpr std::array gallery{
    DescribedMachine{"epyc_7773x", "AMD EPYC 7773X, 64 cores in 8 L3s",
                     "pack:1 numa:1 l3:8 core:8 pu:2(indexes=2*64:1*2)"},
    DescribedMachine{"epyc_7r13", "two AMD EPYC 7R13, 48 cores in 6 L3s each",
                     "pack:2 numa:1 l3:6 core:8 pu:2(indexes=2*96:1*2)"},
    DescribedMachine{"dual_epyc_7742", "two AMD EPYC 7742, 64 cores in 16 L3s each",
                     "pack:2 numa:1 l3:16 core:4 pu:2(indexes=2*128:1*2)"},
    DescribedMachine{"dual_epyc_7742_nps4", "the same with four NUMA nodes for each socket (NPS4)",
                     "pack:2 numa:4 l3:4 core:4 pu:2(indexes=2*128:1*2)"},
    DescribedMachine{"dual_epyc_9654", "two AMD EPYC 9654, 96 cores in 12 L3s each, NPS4",
                     "pack:2 numa:4 l3:3 core:8 pu:2(indexes=2*192:1*2)"},
    DescribedMachine{"dual_xeon_gold_6242", "two Intel Xeon Gold 6242, 16 cores each",
                     "pack:2 numa:1 l3:1 core:16 pu:2(indexes=2*32:1*2)"},
    DescribedMachine{"xeon_8375c", "two Intel Xeon Platinum 8375C, 32 cores each",
                     "pack:2 numa:1 l3:1 core:32 pu:2(indexes=2*64:1*2)"},
    DescribedMachine{"quad_xeon_8280", "four Intel Xeon Platinum 8280, 28 cores each",
                     "pack:4 numa:1 l3:1 core:28 pu:2(indexes=2*112:1*2)"},
    DescribedMachine{"graviton3", "AWS Graviton3, 64 Arm cores", "pack:1 numa:1 l3:1 core:64 pu:1"},
    DescribedMachine{"kunpeng_920_6426", "HiSilicon Kunpeng 920-6426, 64 Arm cores on two dies",
                     "pack:1 numa:2 l3:1 core:32 pu:1"},
    DescribedMachine{"dual_altra_max", "two Ampere Altra Max, 128 Arm cores each",
                     "pack:2 numa:1 core:128 pu:1"},
};

}  // namespace

std::span<const DescribedMachine> described_machines() { return gallery; }

}  // namespace vnode
