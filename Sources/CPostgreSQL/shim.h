#include <libpq-fe.h>

// libpq names the fields of an error by characters, which Swift imports as Int32; these are those that Onward reads.
static const int onward_pg_sqlstate = 'C';
static const int onward_pg_message = 'M';
static const int onward_pg_constraint = 'n';
static const int onward_pg_severity = 'V';
