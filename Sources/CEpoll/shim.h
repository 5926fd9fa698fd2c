#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Names the calling thread, by at most 15 bytes.
static inline void onward_name_thread(const char *name) { prctl(PR_SET_NAME, name); }

/// Gives the free pages of all of malloc's arenas back to the system.
static inline void onward_return_free_memory(void) { malloc_trim(0); }
