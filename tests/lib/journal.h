/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Makes a journal of lines without a hash chain, and adds the chain. Only a header: tests and fuzz
 * targets use it. Skips lines that are neither facts nor decisions, and everything before the first
 * fact "policy".
 */
#ifndef TESTS_LIB_JOURNAL_H
#define TESTS_LIB_JOURNAL_H

#include "policies/facts/log.h"
#include "policies/facts/read.h"
#include "sim/base/err.h"

#include <string.h>

/* Appends to the file; returns the number of lines written. */
static inline size_t journal_put(const char *path, const char *bytes, size_t size)
{
    struct fact_log log;
    struct fact_line line = {.kind = LINE_FACT};
    char error[128];
    size_t written = 0;
    BUG_ON(!fact_log_open(&log, path, error, sizeof error));
    log.sync_ms = FACT_LOG_NEVER;
    while (size > 0) {
        const char *end = memchr(bytes, '\n', size);
        size_t n = end != NULL ? (size_t)(end - bytes) : size;
        bool ok = fact_line_read(&line, bytes, n) && line.kind != LINE_REQUEST;
        bool begins = ok && line.kind == LINE_FACT && line.fact.kind == FACT_POLICY;
        if (begins)
            fact_log_begin(&log, line.fact.at, line.fact.spec);
        else if (ok && written > 0 && line.kind == LINE_FACT)
            fact_log_fact(&log, &line.fact);
        else if (ok && written > 0)
            fact_log_decision(&log, &line.decision);
        written += begins || (ok && written > 0);
        size -= n + (end != NULL);
        bytes = end != NULL ? end + 1 : bytes + n;
    }
    fact_line_fini(&line);
    BUG_ON(!fact_log_close(&log));
    return written;
}

#endif
