#pragma once

// What the examples in C do besides their algorithms: they read [NODES] [SIZE] and complain.

#include <stdio.h>
#include <stdlib.h>

#include <vnode/vnode.h>

/// The arguments of a program.
typedef struct arguments {
  int nodes;
  size_t size;
} arguments;

/// Returns argument `index`, a whole number from 1 to `most`, or `by_default` if there is none; ends the
/// program if it is something else.
static inline size_t whole_number(int argc, char** argv, int index, const char* what, size_t by_default,
                                  size_t most) {
  if (argc <= index) return by_default;
  char* end = NULL;
  const long number = strtol(argv[index], &end, 10);
  if (end != argv[index] && *end == '\0' && number >= 1 && (unsigned long)number <= most)
    return (size_t)number;
  fprintf(stderr, "%s: %s is a whole number from 1 to %zu, not '%s'\n", argv[0], what, most, argv[index]);
  exit(2);
}

/// Reads [NODES] [SIZE].
static inline arguments read_arguments(int argc, char** argv, int nodes, size_t size) {
  if (argc > 3) {
    fprintf(stderr, "%s: too many arguments: there are [NODES] [SIZE]\n", argv[0]);
    exit(2);
  }
  const arguments read = {(int)whole_number(argc, argv, 1, "NODES", (size_t)nodes, 256),
                          whole_number(argc, argv, 2, "SIZE", size, 100000000)};
  return read;
}

/// Says what was wrong and returns the program's exit code.
static inline int complain(const char* program, int code) {
  fprintf(stderr, "%s: %s: %s\n", program, vnode_status_name(code), vnode_message());
  return 2;
}

/// Says whether the answer is right and returns the program's exit code.
static inline int verdict(const char* program, int right) {
  printf("%s: the answer is %s\n", program, right ? "right" : "WRONG");
  return right ? 0 : 1;
}
