/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The keys of a scenario, as tables: the row of a key has its accepted values, its default, and one
 * line about its purpose. Checking, filling in defaults, writing the resolved scenario and finding
 * file names are walks over these rows, so a new key is a new row here and a line where it is used.
 *
 * A key with the value null counts as absent: a scenario that extends another can remove a key that
 * way. Rows that share a `group` exclude one another (a fleet has pools or a node list); in a
 * scenario that extends another, the one given last wins.
 */
#ifndef SCENARIOS_SCHEMA_SCHEMA_H
#define SCENARIOS_SCHEMA_SCHEMA_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

enum schema_type {
    SCHEMA_TEXT,    /* at least `min` bytes long */
    SCHEMA_PATH,    /* a file name */
    SCHEMA_POLICY,  /* text; a file name if it names a shared library, see policy_name.h */
    SCHEMA_CHOICE,  /* one of `choices` */
    SCHEMA_NUMBER,  /* min..max */
    SCHEMA_INTEGER, /* min..max */
    SCHEMA_AMOUNT,  /* a number min..max, or -1 */
    SCHEMA_SEED,    /* 0..2^53-1, or text of digits up to 2^64-1 */
    SCHEMA_BOOLEAN,
    SCHEMA_DURATION, /* seconds, or text such as "15m" */
    SCHEMA_OPTION,   /* text, a number, true or false, passed on as text */
    SCHEMA_OBJECT,   /* members are the rows of `child`, others as in `open`; with neither, any */
    SCHEMA_LIST,     /* min..max elements, each as in `child`, the first as in `first` */
    SCHEMA_LATER,    /* known, but not available in this version */
};

struct schema_row {
    const char *key; /* NULL ends a table, and is used in rows that describe elements */
    enum schema_type type;
    double min, max;
    const char *choices;            /* names separated by '|'; DURATION: accepted as well */
    const char *later;              /* known values that are not available in this version */
    const struct schema_row *child; /* OBJECT: its table; LIST: the row of its elements */
    const struct schema_row *first; /* LIST: the row of its first element; NULL: like all others */
    const struct schema_row
        *open; /* OBJECT: the row of members not in its table; NULL: they are refused */
    const struct schema_row *other; /* alternative of another JSON type */
    const char *fallback;           /* the default as JSON text; NULL: none, the key stays absent */
    const char *group;              /* siblings that exclude one another */
    const char *with;               /* refers to this sibling, and is omitted without it */
    const char *belongs; /* OBJECT: to this sibling; if another one is given, it is replaced instead
                            of merged */
    bool required;
    bool whole; /* OBJECT: replaced by another one instead of merged by key */
    const char *summary;
};

/* 2^53 - 1: integers up to here survive as JSON numbers */
#define SCHEMA_EXACT 9007199254740991.0

/* Returns the row among `row` and its `other`s for values of this JSON type, or NULL. */
const struct schema_row *schema_pick(const struct schema_row *row, const cJSON *value);

/* Returns true if the value, already checked for this row, names a file. */
bool schema_names_file(const struct schema_row *row, const cJSON *value);

/* Returns the row of a member: from the table, or the open one; NULL if the key is unknown. */
const struct schema_row *schema_member(const struct schema_row *object, const char *key);

/* Returns the row of the index-th element of a list. */
const struct schema_row *schema_element(const struct schema_row *list, size_t index);

/* Returns the number of rows of a table; 0 for NULL. */
size_t schema_rows(const struct schema_row *table);

/*
 * Returns true if text is one of the names in a '|'-separated list; it may also be part of a name.
 */
bool schema_lists(const char *names, const char *text);

#endif
