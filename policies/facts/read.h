/* SPDX-License-Identifier: MIT */
/*
 * A line read back (cJSON): a fact, a decision, or what a client of the decision service asks
 * ("do"). Any bytes may come in: what is no such line is refused with words that name the member,
 * the value and what was expected.
 */
#ifndef POLICY_FACTS_READ_H
#define POLICY_FACTS_READ_H

#include "policies/facts/fields.h"

#include <cjson/cJSON.h>

enum line_kind { LINE_FACT, LINE_DECISION, LINE_REQUEST };

/* What the last line was; what it points to is owned by it and lives until the next one is read. */
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

/* False with `error` set. `tree` is there, for what a reply refers to, unless the bytes are no JSON
 * object. */
bool fact_line_read(struct fact_line *, const char *bytes, size_t n);
void fact_line_fini(struct fact_line *); /* a zeroed one is fine */

/*
 * A member of a request that is a whole number from low to high, as number or decimal text. False
 * with `error` set when it is there and something else, or missing and required; else *value is
 * `usual`.
 */
bool fact_line_number(struct fact_line *, const char *key, int64_t low, int64_t high, bool required,
                      int64_t *value);

#endif
