# The package consists of public headers, a module of Fortran, shared libraries (components of find_package: runtime, which is vnode::vnode,
# lab, which is vnode::lab, and cluster, which is vnode::cluster, a library for each MPI), two programs and their documents. Users need none of the libraries that vnode itself is
# built with: they are private to the shared libraries.
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/vnode)
install(TARGETS vnode EXPORT vnodeTargets LIBRARY FILE_SET HEADERS)
install(TARGETS vnode_lab EXPORT vnode_labTargets LIBRARY FILE_SET HEADERS)
foreach(mpi IN LISTS VNODE_MPIS)
  install(TARGETS vnode_cluster_${mpi} vnode_mpi_${mpi} EXPORT vnode_cluster_${mpi}Targets LIBRARY FILE_SET HEADERS)
  install(EXPORT vnode_cluster_${mpi}Targets NAMESPACE vnode:: DESTINATION ${package_dir})
endforeach()
# Modules of Fortran are each compiler's own, so the source is installed.
install(FILES include/vnode/vnode.f90 DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/vnode)
install(EXPORT vnodeTargets NAMESPACE vnode:: DESTINATION ${package_dir})
install(EXPORT vnode_labTargets NAMESPACE vnode:: DESTINATION ${package_dir})
configure_package_config_file(cmake/vnodeConfig.cmake.in vnodeConfig.cmake INSTALL_DESTINATION ${package_dir}
                              NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(vnodeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vnodeConfig.cmake ${PROJECT_BINARY_DIR}/vnodeConfigVersion.cmake
        DESTINATION ${package_dir})

file(RELATIVE_PATH pc_to_prefix ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/vnode.pc.in vnode.pc @ONLY)
configure_file(cmake/vnode-lab.pc.in vnode-lab.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vnode.pc ${PROJECT_BINARY_DIR}/vnode-lab.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# What README links to lies beside it, as it does here.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md TYPE DOC)
install(DIRECTORY docs examples python TYPE DOC PATTERN man EXCLUDE PATTERN Doxyfile EXCLUDE PATTERN CMakeLists.txt EXCLUDE
        PATTERN "*.cmake" EXCLUDE
        PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE PATTERN .pytest_cache EXCLUDE PATTERN .mypy_cache EXCLUDE)
if(VNODE_TOOLS)
  install(FILES docs/man/vnode.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES tools/completions/vnode DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
if(VNODE_BENCH)
  install(FILES docs/man/vnode-bench.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES tools/completions/vnode-bench DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
endif()
