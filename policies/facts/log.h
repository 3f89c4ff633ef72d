/* SPDX-License-Identifier: MIT */
/*
 * The journal as a write-ahead log: records are appended before anyone acts on them. A record is a
 * line.
 *
 *     fact_log_open()      takes the lock, and cuts off a last line that is torn
 *     fact_log_scan()      checks every line, and finds where to go on: in the same section, after
 *                          the last whole unit
 *     fact_log_begin()     begins a section, for writers that go on in a core of its own
 *     fact_log_fact()      adds a record; with `is_grouped` it is held in memory until the next
 *     fact_log_commit()    writes what is held with one call, and brings it to the disk, as sync_ms
 *                          says
 *
 * Nothing is acknowledged before fact_log_commit() has returned true for it (fact_log_sync() for
 * writers that do not group). A write that fails leaves nothing behind: the file is cut back to
 * where it was, after which nothing more is written and `error` says why.
 *
 * What survives what, once fact_log_commit() or fact_log_sync() has returned true:
 *
 *     sync_ms 0                   everything survives the end of the writer and of the machine
 *     sync_ms N                   of the last N ms only what outlives the machine is missing
 *     FACT_LOG_NEVER              everything survives the end of the writer, not that of the
 *                                 machine
 *
 * Numbers of records: the first line of a log is record 1. A log that was cut to its end
 * (fact_log_renew()) begins with a policy that names the `records` before it; that line is none
 * itself.
 */
#ifndef POLICY_FACTS_LOG_H
#define POLICY_FACTS_LOG_H

#include "policies/facts/chain.h"
#include "policies/facts/fields.h"

#include <sys/types.h>

#define FACT_LOG_NEVER (-1)

struct fact_log {
    int file;        /* descriptor, or -1: nothing is written, and only counted */
    bool is_grouped; /* the caller's: lines are held until fact_log_commit() */
    int64_t sync_ms; /* the caller's, once it is open: 0 at each fact_log_sync(), FACT_LOG_NEVER, or
                        at most so often */
    int64_t synced_ms; /* the last time, on a clock of its own */
    bool is_dirty;     /* something was written since */
    int error;         /* errno of the line that could not be written, 0 none */
    uint64_t torn;     /* bytes that were cut off when it was opened */
    uint64_t base;     /* records before its first line */
    uint64_t records;  /* in all, with those before it and those that are held */
    uint64_t
        cut; /* records that fact_log_scan() cut off: of a decision or section that is not whole */
    bool is_renewed;  /* its first line is no record */
    uint64_t section; /* the record with which the last section begins; `base` of a log that was
                         renewed */
    off_t size, safe; /* of the file, without what is held; of it what was acknowledged */
    off_t *starts;    /* of every FACT_LOG_STEP-th line, from the first */
    size_t start_count, start_room;
    struct chain chain;
    struct text line, held;
};

#define FACT_LOG_STEP 64

/*
 * Makes the file with mode 0600 if need be. path NULL: a log that writes nothing. False with the
 * reason, in words, in `error`: the file cannot be written, is being written by another process, or
 * is no journal with facts. That there is such a file is on the disk then.
 */
bool fact_log_open(struct fact_log *, const char *path, char *error, size_t size);

/* Begins a section; `after` is filled in. */
void fact_log_begin(struct fact_log *, policy_time, const struct fact_policy *);
void fact_log_fact(struct fact_log *, const struct fact *);
void fact_log_decision(struct fact_log *, const struct fact_decision *);

/*
 * Checks all that is there, line by line, and leaves the log where the last unit ends that is
 * whole: a fact, a decision with all its lines, a section with all the facts that begin it. What is
 * behind that was never acknowledged, and is cut off. The chain goes on from there. False with the
 * reason in `error`, which names the line.
 */
bool fact_log_scan(struct fact_log *, char *error, size_t size);

/* A record of the file. `read` returns false to stop. */
struct fact_log_reader {
    bool (*read)(void *, uint64_t number, const char *line, size_t length);
    void *self;
};

/* Reads what is written from record `from` on. False with errno set when that fails, or `read`
 * returned false. */
bool fact_log_read(const struct fact_log *, uint64_t from, struct fact_log_reader);

/* True if the record is in the file. */
bool fact_log_has(const struct fact_log *, uint64_t record);

/*
 * Puts an empty log in the place of the one at `path`, once all that it had is saved: its first
 * line names the records before it. The old one stays as "PATH.1". False with `error` set: the old
 * one is still there and goes on, or log.error is set.
 */
bool fact_log_renew(struct fact_log *, const char *path, policy_time, const struct fact_policy *,
                    char *error, size_t size);

/* Writes what is held, and as fact_log_sync(). False when that, or anything before, failed. */
bool fact_log_commit(struct fact_log *);

/* Brings what was written to the disk, if it is time. False when that, or a line before, failed:
 * `error` is the errno. */
bool fact_log_sync(struct fact_log *);

/* Brings it to the disk, unless never, and closes it. False when anything was not written: `error`
 * is the errno. */
bool fact_log_close(struct fact_log *);

/* ---- what its files share ---- */

void fact_log_note_start(struct fact_log *, uint64_t line,
                         off_t start);       /* line `line`, from 0, begins there */
bool fact_log_cut(const struct fact_log *);  /* to `size` */
bool fact_log_sync_folder(const char *path); /* in which the file is */

#endif
