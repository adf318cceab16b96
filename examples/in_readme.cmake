# Fails unless the file README shows the program EXAMPLE word for word.
file(READ ${EXAMPLE} program)
file(READ ${README} readme)
string(FIND "${readme}" "```cpp\n${program}```\n" place)
if(place EQUAL -1)
  message(FATAL_ERROR "README.md shows another program than ${EXAMPLE}: copy the program into it")
endif()
