// Preloaded into a server: every fdatasync and fsync takes SYNC_DELAY_US longer, as on a slower disk.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

typedef int Sync(int);

static int late(const char *name, int fd) {
    const char *delay = getenv("SYNC_DELAY_US");
    long microseconds = delay ? atol(delay) : 0;
    struct timespec span = { microseconds / 1000000, microseconds % 1000000 * 1000 };
    nanosleep(&span, NULL);
    return ((Sync *)dlsym(RTLD_NEXT, name))(fd);
}

int fdatasync(int fd) { return late("fdatasync", fd); }
int fsync(int fd) { return late("fsync", fd); }
