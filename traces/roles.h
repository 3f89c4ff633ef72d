/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which column of a table says what about a job: as the user maps them ("submit=SubmitTime"), by
 * their names, and by what is in them. Nothing is guessed silently: roles_words() says which column
 * was taken for what.
 */
#ifndef TRACES_ROLES_H
#define TRACES_ROLES_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum role {
    ROLE_ID,
    ROLE_SUBMIT,
    ROLE_START,
    ROLE_END,
    ROLE_DURATION,
    ROLE_GPUS,
    ROLE_QUEUE,
    ROLE_USER,
    ROLE_STATUS,
    ROLE_LIMIT,
    ROLE_ELIGIBLE,
    ROLE_NODES,
    ROLE_CPUS,
    ROLE_GPU_TYPE,
    ROLES
};

extern const char *const role_names[ROLES]; /* as in --map */

struct role_column {
    char *name;      /* in the file's header */
    int role;        /* -1: not used */
    int64_t unit_ms; /* of spans without a unit: 1000 for seconds */
};

struct roles {
    struct role_column *columns; /* those that the head of the file has */
    size_t count;
    bool settled[ROLES]; /* by the map: to a column, or to none */
    char *words;         /* "job_id=JobID, submit=Submitted, ...; not used: note" */
};

/*
 * Of a file that begins with `head`; `map` may be NULL. False with err set when the map names a
 * role or a column that is not there, or when the columns do not say when a job was submitted, how
 * long it ran and how many GPUs it had. roles_fini() in any case.
 */
bool roles_find(struct roles *, const char *head, size_t n, char delimiter, const char *map,
                struct err *err);

/* The role of the column of that name; -1: not used. */
int roles_of(const struct roles *, const char *name, size_t n);

/* The column that has a role; NULL: none has. */
const struct role_column *roles_column(const struct roles *, enum role);

void roles_fini(struct roles *);

/* ---- the steps of roles_find(), in files of their own ---- */

struct glimpse;

/* Roles by names, of columns that have none. */
void roles_by_name(struct roles *);

/* What the last word of a column's name says of its spans: "wall (min)" 60000; 1000 if nothing. */
int64_t roles_unit_ms(const char *name);

/* -1: there is none of that name. */
int role_named(const char *name, size_t n);

/* Roles by contents. */
void roles_by_content(struct roles *, const struct glimpse *);

#endif
