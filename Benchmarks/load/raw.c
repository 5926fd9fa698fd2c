// The upper limit of durable commits: applies verifyEmail codes of an Onward database with SQLite alone, in one thread, a group in
// each commit, by the statements of Onward's own transaction (Sources/Store/Tables, Accounts/Codes/Apply).
//
//   raw DATABASE GROUP SECONDS
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>

enum { MAX_CODES = 400000 };

typedef struct { sqlite3_int64 row_id; unsigned char digest[33]; } Code;

static sqlite3 *db;
static Code codes[MAX_CODES];

static void check(int is_fine) {
    if (is_fine) return;
    fprintf(stderr, "raw: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static void execute(const char *sql) { check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK); }

static sqlite3_stmt *prepared(const char *sql) {
    sqlite3_stmt *statement;
    check(sqlite3_prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, NULL) == SQLITE_OK);
    return statement;
}

static void run(sqlite3_stmt *statement) {
    check(sqlite3_step(statement) == SQLITE_DONE);
    sqlite3_reset(statement);
}

static double seconds(void) {
    struct timeval t;
    gettimeofday(&t, NULL);
    return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

static int find_codes(void) {
    int count = 0;
    sqlite3_stmt *find = prepared("SELECT digest, row_id FROM code WHERE ending IS NULL ORDER BY random() LIMIT ?");
    sqlite3_bind_int(find, 1, MAX_CODES);
    while (sqlite3_step(find) == SQLITE_ROW) {
        Code *code = &codes[count++];
        const unsigned char *digest = sqlite3_column_blob(find, 0);
        for (int i = 0; i < 33; i++) code->digest[i] = digest[i];
        code->row_id = sqlite3_column_int64(find, 1);
    }
    sqlite3_finalize(find);
    return count;
}

int main(int argc, char **argv) {
    if (argc != 4) return fprintf(stderr, "usage: raw DATABASE GROUP SECONDS\n"), 2;
    int group = atoi(argv[2]);
    double limit = atof(argv[3]);
    check(sqlite3_open(argv[1], &db) == SQLITE_OK);
    execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA cell_size_check = ON");
    int count = find_codes();
    sqlite3_stmt *begin = prepared("BEGIN IMMEDIATE"), *commit = prepared("COMMIT");
    sqlite3_stmt *look = prepared(
        "SELECT row_id, digest, project, action, account, email, new_email, second_factor, settings, language, created_at, expires_at, "
        "ending, ended_at, has_siblings FROM code WHERE row_id = ? AND digest = ?");
    sqlite3_stmt *spend = prepared(
        "UPDATE code SET ending = 'used', ended_at = ?1 WHERE row_id = ?3 AND digest = ?2 AND ending IS NULL AND expires_at > ?1");
    sqlite3_stmt *verify = prepared(
        "UPDATE account SET email_verified = 1 WHERE project = 'bench' AND id = ?1 AND coalesce(email, '') = ?2 AND disabled = 0");

    int applied = 0;
    double start = seconds(), end = start;
    while (applied + group <= count && end - start < limit) {
        sqlite3_int64 now = (sqlite3_int64)(end * 1000);
        run(begin);
        for (int i = 0; i < group; i++) {
            const Code *code = &codes[applied++];
            sqlite3_bind_int64(look, 1, code->row_id);
            sqlite3_bind_blob(look, 2, code->digest, 33, SQLITE_STATIC);
            check(sqlite3_step(look) == SQLITE_ROW);
            check(sqlite3_column_int(look, 14) == 0); // else others would be withdrawn
            sqlite3_bind_value(verify, 1, sqlite3_column_value(look, 4));
            sqlite3_bind_value(verify, 2, sqlite3_column_value(look, 5));
            check(sqlite3_step(look) == SQLITE_DONE);
            sqlite3_reset(look);
            sqlite3_bind_int64(spend, 1, now);
            sqlite3_bind_blob(spend, 2, code->digest, 33, SQLITE_STATIC);
            sqlite3_bind_int64(spend, 3, code->row_id);
            run(spend);
            check(sqlite3_changes(db) == 1);
            run(verify);
            check(sqlite3_changes(db) == 1);
        }
        run(commit);
        end = seconds();
    }
    printf("requests %d failed 0 seconds %.4f rate %.1f\n", applied, end - start, applied / (end - start));
}
