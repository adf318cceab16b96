#include "files/profile_file.hpp"

#include "files/file.hpp"

namespace vnode {

void write_profile(const std::string& file, const MachineProfile& profile) {
  replace_file(file, to_json(profile));
}

NumaDistances known_distances(const Machine& machine, const std::optional<std::string>& asked) {
  NumaDistances known = numa_distances(machine);
  const bool useful = known.source == DistanceSource::hops && machine.numas.size() > 1 && machine.this_system;
  if (!useful && !asked) return known;
  const ProfileChoice kept = choose_profile(asked, machine);
  return kept.profile ? numa_distances(*kept.profile, machine) : known;
}

void add_profile(Command command, std::optional<std::string>& asked) {
  command
      .option("--profile", into(asked),
              "a machine profile that vnode calibrate has written: its file, with a / or .json, or its "
              "name, or none (default: VNODE_PROFILE, or \"profile\", if there is one of this machine)")
      .type_name("FILE|NAME");
}

}  // namespace vnode
