/* SPDX-License-Identifier: MIT */
/*
 * A journal that is appended to while it happens. Each line is written whole with one call, so a writer that dies leaves at most
 * its last line torn; the next one cuts that off and begins a section that says how the one before it ended.
 *
 * After the first line that could not be written nothing more is: what is there stays in order, and `error` says why.
 *
 * What survives what:
 *
 *     the writer dies                every line that was written
 *     the machine dies               every line before the last fact_log_sync() that reached the disk
 *
 * Who calls it after the decisions of a cycle and before anybody acts on them acts on nothing that the journal may lose: one
 * call a cycle brings the facts that led to them and the decisions to the disk together. `sync_ms` above 0 trades that for
 * speed: at most so often, so that the last so many milliseconds may be missing.
 */
#ifndef ADAPTERS_FACTS_LOG_H
#define ADAPTERS_FACTS_LOG_H

#include "policies/adapters/facts/chain.h"
#include "policies/adapters/facts/fields.h"

#define FACT_LOG_NEVER (-1)

struct fact_log {
    int file; /* descriptor, or -1: nothing is written */
    int64_t
        sync_ms; /* the caller's, once it is open: 0 at each fact_log_sync(), FACT_LOG_NEVER, or at most so often */
    int64_t synced_ms; /* the last time, on a clock of its own */
    bool is_dirty;     /* something was written since */
    int error;         /* errno of the line that could not be written, 0 none */
    uint64_t torn;     /* bytes that were cut off when it was opened */
    struct chain chain;
    struct text line;
};

/*
 * Makes the file with mode 0600 if need be. path NULL: a log that writes nothing. False with the reason, in words, in `error`: the
 * file cannot be written, is being written by another process, or is no journal with facts. That there is such a file is on the
 * disk then.
 */
bool fact_log_open(struct fact_log *, const char *path, char *error, size_t size);

/* Begins a section; `after` is filled in. */
void fact_log_begin(struct fact_log *, policy_time, const struct fact_policy *);
void fact_log_fact(struct fact_log *, const struct fact *);
void fact_log_decision(struct fact_log *, const struct fact_decision *);

/* Brings what was written to the disk, if it is time. False when that, or a line before, failed: `error` is the errno. */
bool fact_log_sync(struct fact_log *);

/* Brings it to the disk, unless never, and closes it. False when anything was not written: `error` is the errno. */
bool fact_log_close(struct fact_log *);

#endif
