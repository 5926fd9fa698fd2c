#include <sqlite3.h>

// Swift cannot call functions with variable arguments, and does not import macros that are expressions.

/// Sets a global option whose argument is an int. Must run before SQLite is initialised.
static inline int onward_sqlite3_config_int(int option, int value) { return sqlite3_config(option, value); }

/// Switches a Boolean option of one connection.
static inline int onward_sqlite3_db_config_bool(sqlite3 *db, int option, int value) {
    return sqlite3_db_config(db, option, value, (int *)0);
}

/// `SQLITE_TRANSIENT`: SQLite copies a bound value before the call returns.
static inline sqlite3_destructor_type onward_sqlite3_transient(void) { return SQLITE_TRANSIENT; }

static const int onward_sqlite_ioerr_fsync = SQLITE_IOERR_FSYNC;
static const int onward_sqlite_ioerr_dir_fsync = SQLITE_IOERR_DIR_FSYNC;
static const int onward_sqlite_ioerr_shmsize = SQLITE_IOERR_SHMSIZE;
static const int onward_sqlite_constraint_primarykey = SQLITE_CONSTRAINT_PRIMARYKEY;
static const int onward_sqlite_constraint_unique = SQLITE_CONSTRAINT_UNIQUE;
