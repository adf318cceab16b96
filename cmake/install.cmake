# What is installed: public headers, a module of Fortran, shared libraries (components of find_package: runtime, which is vnode::vnode,
# lab, which is vnode::lab, and cluster, which is vnode::cluster, a library for each MPI), two programs and their documents. Users need
# none of the libraries that vnode itself is built with: they are private to the shared libraries. The component of a rule is the
# package of Debian that its files belong to (deb/packages.cmake).
include(CMakePackageConfigHelpers)

set(interface ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vnode)
file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME libvnode-dev)
foreach(library vnode vnode_lab)
  install(TARGETS ${library} EXPORT ${library}Targets LIBRARY COMPONENT libvnode${interface} NAMELINK_COMPONENT libvnode-dev
          FILE_SET HEADERS)
  install(EXPORT ${library}Targets NAMESPACE vnode:: DESTINATION ${package_dir})
endforeach()
# Modules of Fortran are each compiler's own, so the source is installed.
install(FILES include/vnode/vnode.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vnode)
configure_package_config_file(cmake/vnodeConfig.cmake.in vnodeConfig.cmake INSTALL_DESTINATION ${package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(vnodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vnodeConfig.cmake ${PROJECT_BINARY_DIR}/vnodeConfigVersion.cmake
        DESTINATION ${package_dir})
# gdb loads it with the library where both are below /usr.
install(FILES tools/gdb/nodes.py RENAME $<TARGET_FILE_NAME:vnode>-gdb.py
        DESTINATION ${CMAKE_INSTALL_DATADIR}/gdb/auto-load${CMAKE_INSTALL_FULL_LIBDIR} COMPONENT libvnode${interface})
foreach(package vnode vnode-lab)
  configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${package}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

foreach(mpi IN LISTS VNODE_MPIS)
  set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME libvnode-cluster-${mpi}-dev)
  install(TARGETS vnode_cluster_${mpi} vnode_mpi_${mpi} EXPORT vnode_cluster_${mpi}Targets
          LIBRARY COMPONENT libvnode-cluster-${mpi}${interface} NAMELINK_COMPONENT libvnode-cluster-${mpi}-dev
          FILE_SET HEADERS COMPONENT libvnode-dev)
  install(EXPORT vnode_cluster_${mpi}Targets NAMESPACE vnode:: DESTINATION ${package_dir})
  get_target_property(includes vnode_mpi_${mpi} INTERFACE_INCLUDE_DIRECTORIES)
  get_target_property(definitions vnode_mpi_${mpi} INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(libraries vnode_mpi_${mpi} INTERFACE_LINK_LIBRARIES)
  list(TRANSFORM includes PREPEND -I)
  list(TRANSFORM definitions PREPEND -D)
  list(JOIN includes " " mpi_cflags)
  string(JOIN " " mpi_cflags ${mpi_cflags} ${definitions})
  list(JOIN libraries " " mpi_libs)
  configure_file(cmake/vnode-cluster.pc.in vnode-cluster-${mpi}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/vnode-cluster-${mpi}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME vnode-tools)
set(VNODE_ZSH_COMPLETIONS site-functions CACHE STRING "Folder of zsh's completions, below share/zsh; Debian's own packages have vendor-completions")
if(VNODE_TOOLS)
  install(TARGETS vnode_program)
  install(FILES docs/man/vnode.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES tools/completions/vnode DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES tools/completions/_vnode DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/${VNODE_ZSH_COMPLETIONS})
  install(FILES tools/completions/vnode.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
if(VNODE_BENCH)
  install(TARGETS vnode-bench)
  install(FILES docs/man/vnode-bench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES tools/completions/vnode RENAME vnode-bench
          DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES tools/completions/vnode.fish RENAME vnode-bench.fish
          DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
  foreach(mpi IN LISTS VNODE_MPIS)
    install(TARGETS vnode-bench-${mpi} COMPONENT vnode-tools-${mpi})
  endforeach()
endif()

# The documents for users, with links that lead somewhere: README and CONTRIBUTING are about the sources.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME vnode-doc)
install(FILES LICENSE CHANGELOG.md TYPE DOC)
# The API reference, where `tools/dev docs` has made it.
install(DIRECTORY build/docs/html/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/reference OPTIONAL)
install(DIRECTORY tests/data/latencies DESTINATION ${CMAKE_INSTALL_DOCDIR}/docs)
install(DIRECTORY docs examples python TYPE DOC PATTERN man EXCLUDE PATTERN Doxyfile EXCLUDE PATTERN CMakeLists.txt EXCLUDE
        PATTERN "*.cmake" EXCLUDE
        PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN .mypy_cache EXCLUDE)
