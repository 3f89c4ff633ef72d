/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A journal with facts, plain or compressed with gzip or zstd, read line by line with its chain
 * checked. A last line without a line feed was cut off when its writer died: it is left out, and
 * `torn` is its length. Any other error is reported with its line number.
 */
#ifndef SIM_REPLAY_JOURNAL_FILE_H
#define SIM_REPLAY_JOURNAL_FILE_H

#include "policies/facts/chain.h"
#include "policies/facts/read.h"
#include "sim/base/err.h"
#include "traces/lines.h"

struct journal_file {
    const char *path;
    struct input *input;
    struct lines *lines;
    uint64_t number; /* of the line, from 1 */
    size_t torn;     /* bytes */
    struct fact_line line;
    struct chain chain;
};

/* "-" is standard input. To be closed in any case. */
bool journal_file_open(struct journal_file *, const char *path, struct err *);
void journal_file_close(struct journal_file *);

/* Puts the next line into `line`; *end: there is none. Returns false with err set (EXIT_INPUT). */
bool journal_file_next(struct journal_file *, bool *end, struct err *);

#endif
