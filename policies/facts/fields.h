/* SPDX-License-Identifier: MIT */
/*
 * The members of facts and decisions as rows: what each is called in JSON, where it stands in its
 * struct, and what it usually is. write.c and read.c go by these rows, so whatever is written can
 * be read.
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
    FIELD_FLAG,   /* an int32 that is 0 or 1: true or false */
    FIELD_CHOICE, /* an int32: which of the words of `words` */
    FIELD_KIND,   /* an int32 that policy_kind_name(), policy_action_name() or policy_reason_name()
                     has a word for */
    FIELD_ACTION,
    FIELD_REASON,
    FIELD_TEXT,    /* a const char *, NULL: left out */
    FIELD_OPTIONS, /* an array of struct fact_option: an object of texts */
    FIELD_COUNTS,  /* a const int32_t *, POLICY_MAX_PROFILES of them, or NULL: a list without the
                      zeros at its end */
    FIELD_NUMBERS, /* a const uint32_t * with a count */
    FIELD_PART,    /* an object: the struct itself, with rows of its own */
    FIELD_LIST,    /* a list of such objects: a pointer to them, with a count */
};

struct field_table;

struct field {
    const char *key;
    enum field_type type;
    size_t offset;       /* in its struct */
    size_t count_offset; /* of the uint32_t that says how many elements there are */
    int64_t usual;       /* left out when it is that, and that when it is left out */
    bool required;
    const char *words; /* "up|draining|down" */
    const struct field_table *of;
};

/* Rows end with a key of NULL. */
struct field_table {
    const struct field *fields;
    size_t size;   /* of the struct */
    bool is_sized; /* it begins with a uint32_t that says so */
};

/* A kind of fact: members of struct fact, and those of its spec (NULL: none, or an array among the
 * former). */
struct fact_row {
    const char *name;
    const struct field_table *own, *spec;
};
extern const struct fact_row fact_kinds[FACT_KINDS];

/* A decision with the names of what it is about. */
struct fact_decision {
    policy_time at;
    struct policy_decision d;
    const char *name, *node_name; /* NULL: none */
};
extern const struct field_table fact_decision_table;

#endif
