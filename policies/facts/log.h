/* SPDX-License-Identifier: MIT */
/*
 * The journal as a write-ahead log: records are appended before anyone acts on them. A record is a
 * line.
 *     fact_log_open()   takes the lock, and cuts off an incomplete last line
 *     fact_log_scan()   checks every line, and finds where to continue: in the same section,
 *                       after the last complete unit
 *     fact_log_begin()  begins a section, for writers that continue with a new core
 *     fact_log_fact()   adds a record; with `is_grouped` it is buffered until the next
 *     fact_log_commit() writes the buffer with one call, and syncs it as sync_ms says
 *
 * Nothing is acknowledged before fact_log_commit() has returned true for it (fact_log_sync() for
 * writers that do not group). A failed write leaves nothing behind: the file is truncated to its
 * previous length; then nothing more is written and `error` has the reason.
 *
 * Durability once fact_log_commit() or fact_log_sync() has returned true:
 *     sync_ms 0       everything survives the end of the writer and of the machine
 *     sync_ms N       a machine crash may lose the last N ms
 *     FACT_LOG_NEVER  everything survives the end of the writer, not that of the machine
 *
 * Record numbers: the first line of a log is record 1. A log that was cut to its end
 * (fact_log_renew()) begins with a policy that states the number of earlier `records`; that line is
 * not a record itself.
 */
#ifndef POLICY_FACTS_LOG_H
#define POLICY_FACTS_LOG_H

#include "policies/facts/chain.h"
#include "policies/facts/fields.h"

#include <sys/types.h>

#define FACT_LOG_NEVER (-1)

struct fact_log {
    int file;          /* descriptor, or -1: records are only counted, not written */
    bool is_grouped;   /* set by the caller: lines are buffered until fact_log_commit() */
    int64_t sync_ms;   /* set by the caller after opening: minimum interval of syncs; 0: at each
                          fact_log_sync(); FACT_LOG_NEVER */
    int64_t synced_ms; /* the last time, on a monotonic clock */
    bool is_dirty;     /* written to since */
    int error;         /* errno of the failed write, 0 none */
    uint64_t torn;     /* bytes cut off at opening */
    uint64_t base;     /* records before its first line */
    uint64_t records;  /* total, including earlier and buffered ones */
    uint64_t cut;     /* records cut off by fact_log_scan(): of an incomplete decision or section */
    bool is_renewed;  /* its first line is not a record */
    uint64_t section; /* the first record of the last section; `base` of a renewed log */
    off_t size, safe; /* of the file, without the buffer; and the acknowledged part */
    off_t *starts;    /* offset of every FACT_LOG_STEP-th line, from the first */
    size_t start_count, start_room;
    struct chain chain;
    struct text line, held;
};

#define FACT_LOG_STEP 64

/*
 * Creates the file with mode 0600 if needed. path NULL: a log that writes nothing. Returns false
 * with the reason in `error`: the file cannot be written, is being written by another process, or
 * is not a journal of facts. The directory entry is synced.
 */
bool fact_log_open(struct fact_log *, const char *path, char *error, size_t size);

/* Begins a section; fills in `after`. */
void fact_log_begin(struct fact_log *, policy_time, const struct fact_policy *);
void fact_log_fact(struct fact_log *, const struct fact *);
void fact_log_decision(struct fact_log *, const struct fact_decision *);

/*
 * Checks every line, and leaves the log at the end of the last complete unit: a fact, a decision
 * with all its lines, a section with all its initial facts. Anything after that was never
 * acknowledged and is cut off. The chain continues from there. Returns false with the reason in
 * `error`, which names the line.
 */
bool fact_log_scan(struct fact_log *, char *error, size_t size);

/* Receives records of the file. `read` returns false to stop. */
struct fact_log_reader {
    bool (*read)(void *, uint64_t number, const char *line, size_t length);
    void *self;
};

/* Reads the written records from `from` on. Returns false with errno set on failure, or if `read`
 * returned false. */
bool fact_log_read(const struct fact_log *, uint64_t from, struct fact_log_reader);

/* Returns true if the record is in the file. */
bool fact_log_has(const struct fact_log *, uint64_t record);

/*
 * Replaces the log at `path`, all of whose contents have been saved, with an empty one whose first
 * line states the number of earlier records. The old one is kept as "PATH.1". Returns false with
 * `error` set: the old one is still in place and in use, or log.error is set.
 */
bool fact_log_renew(struct fact_log *, const char *path, policy_time, const struct fact_policy *,
                    char *error, size_t size);

/* Writes the buffer and calls fact_log_sync(). Returns false if that, or anything earlier,
 * failed. */
bool fact_log_commit(struct fact_log *);

/* Syncs what was written, if due. Returns false if that, or an earlier write, failed: `error` is
 * the errno. */
bool fact_log_sync(struct fact_log *);

/* Syncs, unless FACT_LOG_NEVER, and closes. Returns false if anything was not written: `error` is
 * the errno. */
bool fact_log_close(struct fact_log *);

/* ---- shared by its files ---- */

void fact_log_note_start(struct fact_log *, uint64_t line,
                         off_t start);       /* line `line`, from 0, begins at `start` */
bool fact_log_cut(const struct fact_log *);  /* truncates to `size` */
bool fact_log_sync_folder(const char *path); /* the directory of the file */

#endif
