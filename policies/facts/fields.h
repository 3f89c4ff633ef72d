/* SPDX-License-Identifier: MIT */
/*
 * The members of facts and decisions as rows: JSON key, offset in the struct, and default. write.c
 * and read.c both use these rows, so whatever is written can be read.
 */
#ifndef POLICY_FACTS_FIELDS_H
#define POLICY_FACTS_FIELDS_H

#include "policies/facts/fact.h"

#include <stddef.h>

enum field_type {
    FIELD_I32,
    FIELD_U32,
    FIELD_I64,
    FIELD_U64,    /* a decimal text */
    FIELD_BOOL,   /* a bool */
    FIELD_FLAG,   /* an int32 that is 0 or 1: false or true */
    FIELD_CHOICE, /* an int32: index into `words` */
    FIELD_KIND,   /* an int32 named by policy_kind_name(), policy_action_name() or
                     policy_reason_name() */
    FIELD_ACTION,
    FIELD_REASON,
    FIELD_TEXT,    /* a const char *, NULL: omitted */
    FIELD_OPTIONS, /* an array of struct fact_option: an object of texts */
    FIELD_COUNTS,  /* a const int32_t *, POLICY_MAX_PROFILES of them, or NULL: a list without
                      trailing zeros */
    FIELD_NUMBERS, /* a const uint32_t * with a count */
    FIELD_PART,    /* an object: the struct itself, with its own rows */
    FIELD_LIST,    /* a list of such objects: a pointer to them, with a count */
};

struct field_table;

struct field {
    const char *key;
    enum field_type type;
    size_t offset;       /* in its struct */
    size_t count_offset; /* of the uint32_t with the number of elements */
    int64_t usual;       /* the default: omitted when written, assumed when missing */
    bool required;
    const char *words; /* "up|draining|down" */
    const struct field_table *of;
};

/* Rows end with a NULL key. */
struct field_table {
    const struct field *fields;
    size_t size;   /* of the struct */
    bool is_sized; /* it begins with a uint32_t size */
};

/* A kind of fact: members of struct fact, and those of its spec (NULL: none, or an array among the
 * former). */
struct fact_row {
    const char *name;
    const struct field_table *own, *spec;
};
extern const struct fact_row fact_kinds[FACT_KINDS];

/* A decision with the names of its job and node. */
struct fact_decision {
    policy_time at;
    struct policy_decision d;
    const char *name, *node_name; /* NULL: none */
};
extern const struct field_table fact_decision_table;

#endif
