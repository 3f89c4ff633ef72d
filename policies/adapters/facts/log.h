/* SPDX-License-Identifier: MIT */
/*
 * A journal that is appended to while it happens. Each line is written whole with one call, so a writer that dies leaves at most
 * its last line torn; the next one cuts that off and begins a section that says how the one before it ended.
 *
 * After the first line that could not be written nothing more is: what is there stays in order, and `error` says why.
 */
#ifndef ADAPTERS_FACTS_LOG_H
#define ADAPTERS_FACTS_LOG_H

#include "policies/adapters/facts/chain.h"
#include "policies/adapters/facts/fields.h"

struct fact_log {
    int file;      /* descriptor, or -1: nothing is written */
    int error;     /* errno of the line that could not be written, 0 none */
    uint64_t torn; /* bytes that were cut off when it was opened */
    struct chain chain;
    struct text line;
};

/*
 * Makes the file with mode 0600 if need be. path NULL: a log that writes nothing. False with the reason, in words, in `error`: the
 * file cannot be written, is being written by another process, or is no journal with facts.
 */
bool fact_log_open(struct fact_log *, const char *path, char *error, size_t size);

/* Begins a section; `after` is filled in. */
void fact_log_begin(struct fact_log *, policy_time, const struct fact_policy *);
void fact_log_fact(struct fact_log *, const struct fact *);
void fact_log_decision(struct fact_log *, const struct fact_decision *);

/* Brings it to the disk and closes it. False when anything was not written: `error` is the errno. */
bool fact_log_close(struct fact_log *);

#endif
