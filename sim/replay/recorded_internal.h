/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of recorded.h: reading a journal line by line. */
#ifndef SIM_REPLAY_RECORDED_INTERNAL_H
#define SIM_REPLAY_RECORDED_INTERNAL_H

#include "policies/facts/hash.h"
#include "sim/replay/journal_file.h"
#include "sim/replay/recorded.h"

#include <inttypes.h>

/* A number that the section gives to a node, queue or job. */
enum reading_kind { READING_NODE, READING_QUEUE, READING_JOB };
struct reading_number {
    uint64_t key;
    uint32_t index; /* of ours */
    UT_hash_handle hh;
};

struct reading {
    struct recorded *to;
    struct journal_file file;
    struct reading_number *numbers; /* hash, of this section */
    bool is_settled;    /* this section has decided: what it knew from the start was reported
                           before */
    int64_t decided_ms; /* the last decision of the section */
    struct err *err;
};

/* Largest number in JSON files: 2^53. Differences and sums of such times fit. */
#define RECORDED_MOST_MS INT64_C(9007199254740992)
static inline bool reading_is_time(int64_t ms)
{
    return ms >= -RECORDED_MOST_MS && ms <= RECORDED_MOST_MS;
}

void reading_link(struct reading *, enum reading_kind, uint32_t i, uint32_t gen, uint32_t index);
uint32_t reading_find(const struct reading *, enum reading_kind, uint32_t i,
                      uint32_t gen);                                       /* SYMBOL_NONE: none */
bool reading_unknown(struct reading *, const char *what, uint32_t number); /* false with err set */
bool reading_wrong(struct reading *, const char *what);                    /* likewise */

/* ---- recorded_jobs.c ---- */
bool reading_add_job(struct reading *, const struct fact *);
bool reading_job_fact(struct reading *, const struct fact *);
bool reading_decision(struct reading *, const struct fact_decision *);
void reading_settle_jobs(struct reading *, int64_t at);
void reading_finish_jobs(struct reading *);
void reading_forget_jobs(struct recorded *); /* and their names */

#endif
