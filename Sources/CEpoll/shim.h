#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

/// Names the calling thread, by at most 15 bytes, and writes its former name to `former` unless that is null.
static inline void onward_name_thread(const char *name, char former[16]) {
    if (former) prctl(PR_GET_NAME, former);
    prctl(PR_SET_NAME, name);
}
