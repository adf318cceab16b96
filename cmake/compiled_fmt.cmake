# vnode_fmt: fmt, compiled once and linked into what uses it. The list of templates in compiled_fmt.cpp is that of
# fmt 9; with another version fmt is used in its header-only form, which takes longer to compile.
find_package(fmt REQUIRED)
if(fmt_VERSION VERSION_GREATER_EQUAL 9 AND fmt_VERSION VERSION_LESS 10)
  add_library(vnode_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/compiled_fmt.cpp)
  set_target_properties(vnode_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
  get_target_property(includes fmt::fmt INTERFACE_INCLUDE_DIRECTORIES)
  target_include_directories(vnode_fmt SYSTEM PUBLIC ${includes})
  target_compile_features(vnode_fmt PUBLIC cxx_std_20)
else()
  add_library(vnode_fmt INTERFACE)
  target_link_libraries(vnode_fmt INTERFACE fmt::fmt-header-only)
endif()
