/// SQLite's own; Swift cannot call what takes any number of arguments.
int sqlite3_config(int option, ...);

/// Sets a global option that is a number, before SQLite is used for the first time.
static inline int onward_sqlite_configure(int option, int value) { return sqlite3_config(option, value); }
