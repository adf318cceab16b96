#pragma once

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/// Vnode's functions return one of these. Positive codes are the program's own: those of its callbacks.
typedef enum vnode_status {
  VNODE_OK = 0,
  VNODE_ERROR_USAGE =
      -1,  ///< the caller asks for something that has no meaning, or uses a handle out of place
  VNODE_ERROR_MISMATCH = -2,    ///< the nodes' calls do not match
  VNODE_ERROR_TIME_LIMIT = -3,  ///< a wait was longer than the team's time limit
  VNODE_ERROR_ABORTED = -4,     ///< another node has failed
  VNODE_ERROR_SYSTEM = -5,      ///< the machine or the operating system refuses
  VNODE_ERROR_MEMORY = -6,      ///< there is no memory
  VNODE_ERROR_OTHER = -7,       ///< a callback written in C++ has thrown an exception that is none of vnode's
  VNODE_ERROR_DEADLOCK = -8     ///< all nodes wait, or have left the run, and none could ever go on
} vnode_status;

/// Returns the sentence of the last of vnode's functions that failed in the calling thread, "" if none has.
/// It is valid until the next one fails there.
const char* vnode_message(void);
/// Makes `sentence` what vnode_message() returns in this thread: a callback says what was wrong, then returns
/// its code.
void vnode_set_message(const char* sentence);
/// Returns the name of a code: "VNODE_ERROR_USAGE". Of a positive one "a callback's own code", of others
/// "unknown".
const char* vnode_status_name(int code);

/// Returns the version of the library in use at run time, as "major.minor.patch".
const char* vnode_version(void);
/// The version of the binary interface that this header describes.
enum { VNODE_ABI = 1 };
/// Returns the version of the binary interface that the library in use at run time has. A program runs with
/// it if this is VNODE_ABI or greater, and libvnode's soname is the same.
int vnode_abi_version(void);

/// Frees a text that a function has returned through `char **`, and sets it to NULL.
void vnode_text_free(char** text);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif
