# The packages of Debian that commands of tools/dev need, and how they are installed; tools/dev has `stage` and `fail`.
build_packages=(g++ cmake ninja-build pkg-config libhwloc-dev libtbb-dev libtbbbind-2-5 libboost-dev libboost-context-dev libfmt-dev
                nlohmann-json3-dev libcli11-dev)
test_packages=(clang-14 libclang-rt-14-dev libomp-14-dev llvm-14 doctest-dev doxygen python3 python3-numpy python3-pytest
               mypy chromium util-linux spin gfortran gdb valgrind abigail-tools iproute2 zsh fish)
# The MPIs that teams of several machines are joined by, and that vnode-bench compares with.
mpi_packages=(openmpi-bin libopenmpi-dev mpich libmpich-dev)
numa_packages=(qemu-system-x86 busybox-static cpio)
tidy_packages=(clang-tidy-14)
format_packages=(clang-format-14)
deb_packages=(lintian dpkg-dev file gzip doxygen git)
arm_packages=(g++-aarch64-linux-gnu qemu-user)

missing_of() {
  local package
  for package; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == 'install ok installed' ]] || echo "$package"
  done
}

# Installs the packages named, if any of them is not there yet: with everything installed it needs no network.
need() {
  if ! command -v dpkg-query >/dev/null; then
    echo "This is not Debian: what is needed must be there already (Debian's names: $*)"
    return
  fi
  local missing
  mapfile -t missing < <(missing_of "$@")
  ((${#missing[@]})) || return 0
  local install=(apt-get install -y --no-install-recommends "${missing[@]}") as=()
  if ((EUID)); then
    sudo -n true 2>/dev/null || fail "missing packages, and no right to install them. Run as root:
  apt-get update && ${install[*]}"
    as=(sudo -n)
  fi
  stage "installing ${missing[*]}"
  "${as[@]}" apt-get update -qq
  "${as[@]}" env DEBIAN_FRONTEND=noninteractive "${install[@]}" >"${TMPDIR:-/tmp}/vnode-setup.$$.log" 2>&1 || {
    tail -n 30 "${TMPDIR:-/tmp}/vnode-setup.$$.log" >&2
    fail "apt-get could not install ${missing[*]}"
  }
  rm -f "${TMPDIR:-/tmp}/vnode-setup.$$.log"
}
