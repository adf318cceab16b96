# What every Debian package has: a changelog and a copyright; manuals are compressed. CPack runs this between installation and packing.
string(TIMESTAMP now "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of SOURCE_DATE_EPOCH
foreach(package IN LISTS CPACK_COMPONENTS_ALL)
  set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${package}/usr/share)
  set(documents ${root}/doc/${package})
  file(WRITE ${documents}/copyright "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: vnode

Files: *
Copyright: 2026 the authors of vnode
License: Apache-2.0
 On Debian systems the text of this license is /usr/share/common-licenses/Apache-2.0.
")
  file(WRITE ${documents}/changelog "vnode (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Version ${CPACK_PACKAGE_VERSION}.

 -- ${CPACK_PACKAGE_CONTACT}  ${now}
")
  file(GLOB texts ${documents}/changelog ${root}/man/man1/*.1)
  execute_process(COMMAND gzip -9n ${texts} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
