/* SPDX-License-Identifier: MIT */
/*
 * Reads a line (cJSON): a fact, a decision, or a request of a client of the decision service
 * ("do"). The input may be any bytes: invalid lines are refused with a message that names the
 * member, the value and what was expected.
 */
#ifndef POLICY_FACTS_READ_H
#define POLICY_FACTS_READ_H

#include "policies/facts/fields.h"

#include <cjson/cJSON.h>

enum line_kind { LINE_FACT, LINE_DECISION, LINE_REQUEST };

/* The last line read; it owns everything it points to, until the next one is read. */
struct fact_line {
    enum line_kind kind;
    struct fact fact;              /* LINE_FACT */
    struct fact_decision decision; /* LINE_DECISION */
    const char *verb; /* LINE_REQUEST: the value of "do"; its other members are in `tree` */
    cJSON *tree;
    void **blocks;
    size_t block_count, block_room;
    char error[256];
};

/* Returns false with `error` set. `tree` is set, for use in replies, unless the bytes are not a
 * JSON object. */
bool fact_line_read(struct fact_line *, const char *bytes, size_t n);
void fact_line_fini(struct fact_line *); /* also for a zeroed one */

/*
 * Reads an integer member of a request from low to high, given as a number or decimal text. Returns
 * false with `error` set if it is invalid, or missing although required; if missing, *value is
 * `usual`.
 */
bool fact_line_number(struct fact_line *, const char *key, int64_t low, int64_t high, bool required,
                      int64_t *value);

#endif
