/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The roles of a table's columns, i.e. what they say about a job: as the user maps them
 * ("submit=SubmitTime"), by their names, and by their contents. Nothing is guessed silently:
 * roles.words names the column chosen for each role.
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
    char *name;      /* as in the file's header */
    int role;        /* -1: not used */
    int64_t unit_ms; /* unit of plain numbers in a span: 1000 for seconds */
};

struct roles {
    struct role_column *columns; /* in the order of the header */
    size_t count;
    bool settled[ROLES]; /* mapped, to a column or to none */
    char *words;         /* "columns: job_id=JobID, submit=Submitted, ...; not used: note (...)" */
};

/*
 * Finds the roles of a file that begins with `head`; `map` may be NULL. False with err set if the
 * map names an unknown role or column, or if no columns give a job's submit time, run time and
 * GPUs. Call roles_fini() in any case.
 */
bool roles_find(struct roles *, const char *head, size_t n, char delimiter, const char *map,
                struct err *err);

/* Returns the role of the column with this name; -1: not used. */
int roles_of(const struct roles *, const char *name, size_t n);

/* Returns the column with this role; NULL: none has it. */
const struct role_column *roles_column(const struct roles *, enum role);

void roles_fini(struct roles *);

/* ---- the steps of roles_find(), in files of their own ---- */

struct glimpse;

/* Assigns roles by name to columns that have none. */
void roles_by_name(struct roles *);

/* The unit that the last word of a column's name gives, in ms: "wall (min)" 60000; 1000 if it names
 * none. */
int64_t roles_unit_ms(const char *name);

/* Returns the role with this name; -1: none. */
int role_named(const char *name, size_t n);

/* Assigns roles by content to columns that have none. */
void roles_by_content(struct roles *, const struct glimpse *);

#endif
