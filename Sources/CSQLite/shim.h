/// SQLite's own; Swift cannot call what takes any number of arguments.
int sqlite3_config(int option, ...);

/// Sets a global option that is a number, before SQLite is used for the first time.
static inline int onward_sqlite_configure(int option, int value) { return sqlite3_config(option, value); }

/// Has the system begin to write this part of a file, as far as it was changed, without waiting for it. Where a system cannot (all but
/// Linux), it does so when the file is synced. A write that fails is told to whoever syncs.
#ifdef __linux__
int sync_file_range(int descriptor, long long offset, long long length, unsigned flags);
static inline void onward_begin_writing(int descriptor, long long offset, long long length) {
    sync_file_range(descriptor, offset, length, 2 /* SYNC_FILE_RANGE_WRITE */);
}
#else
static inline void onward_begin_writing(int descriptor, long long offset, long long length) {}
#endif
