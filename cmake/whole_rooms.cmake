# Where a build is made as a whole (CMAKE_UNITY_BUILD), the files of a room are compiled as one: their headers cost more than
# they do. whole_rooms(TARGET FOLDER [EXCEPT ROOM...]) lays together the sources of TARGET by the first folder below FOLDER;
# rooms whose files call different things by one name stay apart. (So do sources with options of their own, says CMake.)
function(whole_rooms target folder)
  cmake_parse_arguments(PARSE_ARGV 2 whole "" "" "EXCEPT")
  set_property(TARGET ${target} PROPERTY UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${folder} OUTPUT_VARIABLE path)
    if(path MATCHES "^([a-z_]+)/" AND NOT CMAKE_MATCH_1 IN_LIST whole_EXCEPT)
      set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${CMAKE_MATCH_1})
    endif()
  endforeach()
endfunction()
