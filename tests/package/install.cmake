# Installs BUILD of SOURCE below PREFIX and looks at what is there.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${PREFIX})
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

foreach(expected bin/vnode bin/vnode-bench include/vnode/vnode.hpp include/vnode/vnode.h include/vnode/c/team.h include/vnode/vnode.f90 include/vnode/model/schedule.hpp
                 ${LIBDIR}/libvnode.so ${LIBDIR}/libvnode_lab.so ${LIBDIR}/pkgconfig/vnode.pc ${LIBDIR}/pkgconfig/vnode-lab.pc
                 ${LIBDIR}/cmake/vnode/vnodeConfig.cmake share/doc/vnode/LICENSE share/man/man1/vnode.1
                 share/man/man1/vnode-bench.1 share/bash-completion/completions/vnode
                 share/bash-completion/completions/vnode-bench share/zsh/site-functions/_vnode
                 share/fish/vendor_completions.d/vnode.fish share/fish/vendor_completions.d/vnode-bench.fish)
  if(NOT EXISTS ${PREFIX}/${expected})
    message(SEND_ERROR "not installed: ${expected}")
  endif()
endforeach()

# What examples and documents are tested with is nobody's business.
file(GLOB_RECURSE tests_only ${PREFIX}/share/doc/vnode/*.cmake ${PREFIX}/share/doc/vnode/CMakeLists.txt)
if(tests_only)
  message(SEND_ERROR "installed, although only tests need it: ${tests_only}")
endif()

# What vnode is built with is nobody's business: no path of this build, no name of a private dependency but in comments.
file(GLOB_RECURSE texts ${PREFIX}/include/* ${PREFIX}/${LIBDIR}/*.cmake ${PREFIX}/${LIBDIR}/*.pc)
foreach(text IN LISTS texts)
  file(STRINGS ${text} leaks REGEX "nlohmann|fmt|CLI11|CLI::|hwloc|tbb|TBB|[Bb]oost[:/]|doctest|${BUILD}")
  list(TRANSFORM leaks REPLACE "//.*" "")
  list(FILTER leaks INCLUDE REGEX "nlohmann|fmt|CLI11|CLI::|hwloc|tbb|TBB|[Bb]oost[:/]|doctest|${BUILD}")
  if(leaks)
    message(SEND_ERROR "${text} names what is private:\n${leaks}")
  endif()
endforeach()

# What is installed names nothing that only the sources have.
execute_process(COMMAND grep -rnE "tools/(dev|machines|numa-vm)|(^|[^[:alnum:]_/.-])build/" ${PREFIX} OUTPUT_VARIABLE names)
if(names)
  message(SEND_ERROR "installed, although it names what is not:\n${names}")
endif()

# Links in the documents lead to what is there.
file(GLOB_RECURSE documents ${PREFIX}/share/doc/vnode/*.md)
list(APPEND documents ${SOURCE}/README.md ${SOURCE}/CONTRIBUTING.md)
foreach(document IN LISTS documents)
  cmake_path(GET document PARENT_PATH folder)
  file(READ ${document} text)
  string(REPLACE "](" "src=\"" text "${text}")  # brackets hold lists together
  string(REGEX MATCHALL "src=\"[a-zA-Z0-9_./-]+[#)\"]" links "${text}")
  foreach(link IN LISTS links)
    string(REGEX REPLACE "^src=\"|.$" "" link "${link}")
    if(NOT EXISTS ${folder}/${link})
      message(SEND_ERROR "${document} links to ${link}, which is not there")
    endif()
  endforeach()
endforeach()

foreach(program vnode vnode-bench)
  execute_process(COMMAND ${PREFIX}/bin/${program} --version OUTPUT_VARIABLE version COMMAND_ERROR_IS_FATAL ANY)
  if(NOT version MATCHES "[0-9]+\\.[0-9]+\\.[0-9]+")
    message(SEND_ERROR "${program} --version says '${version}'")
  endif()
endforeach()
