# Where a build is made as a whole (CMAKE_UNITY_BUILD), the files of a room are compiled as one: their headers cost more than
# they do. vnode_whole_rooms(TARGET [EXCEPT REGEX]) lays together the sources of TARGET by the first folder below the
# current one; rooms like REGEX, whose files call different things by one name, stay apart. (So do sources with
# options of their own, says CMake.)
function(vnode_whole_rooms target)
  cmake_parse_arguments(PARSE_ARGV 1 whole "" "EXCEPT" "")
  set_property(TARGET ${target} PROPERTY UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    string(REGEX MATCH "^[^/]+/" room "${path}")
    if(room AND NOT room STREQUAL "../" AND NOT room MATCHES "^(${whole_EXCEPT})/$")
      string(REPLACE "/" "" room ${room})
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${room})
    endif()
  endforeach()
endfunction()
