/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of faults, scenarios/catalog/faults.json: the classes with their figures, the
 * source of each figure and the strength of its evidence; and profiles, each for a kind of fleet. A
 * profile may also be an object in a scenario, which is read by a separate function.
 *
 *     "classes": {"hbm": {"id": "C3", "rate": 0.651, "marks": {"rate": "D"}, ...}, ...}
 *     "faults":  {"a100_busy": {"based_on": "h100", "total": 6.5,
 *                               "classes": {"link": {"rate": 0.633}}}}
 *
 * A catalogue owns all its texts; catalog_faults_free() releases it.
 */
#ifndef SCENARIOS_CATALOG_FAULTS_H
#define SCENARIOS_CATALOG_FAULTS_H

#include "scenarios/schema/check.h"
#include "sim/faults/classes.h"

#define CATALOG_MARKS 24

/* Evidence for single figures, by their keys. */
struct catalog_marks {
    struct catalog_mark {
        const char *key;
        char mark; /* P primary text, S quoted elsewhere, D derived from those; M memory, A
                      assumption */
    } of[CATALOG_MARKS];
    size_t count;
};

bool catalog_mark_verified(char mark); /* P, S, D */

/* The mark of a figure; 'A' if there is none. */
char catalog_mark_of(const struct catalog_marks *, const char *key);

struct catalog_fault_class {
    const char *name, *id, *summary, *source;
    struct catalog_marks marks;
    struct fault_class class;
    /* repair figures of the class itself, not of the profile */
    bool own_share, own_transient, own_hardware, own_relapse, own_relapses;
};

struct catalog_fault_profile {
    const char *name, *summary, *source, *based_on; /* based_on may be NULL */
    struct catalog_marks marks;
    struct fault_profile profile;
};

struct catalog_faults {
    struct catalog_fault_class classes[FAULT_CLASSES];
    struct catalog_fault_profile *profiles;
    size_t profile_count;
    cJSON *tree; /* holds the texts */
};

bool catalog_faults(struct catalog_faults **, struct err *err);
void catalog_faults_free(struct catalog_faults *); /* NULL is allowed */

/* The same from a text in memory, for tests. */
bool catalog_faults_parse(struct catalog_faults **, const char *name, const char *text, size_t n,
                          struct err *err);

/* Returns a profile by name, or NULL. */
const struct catalog_fault_profile *catalog_faults_find(const struct catalog_faults *,
                                                        const char *name);

/*
 * Reads an object that passed schema_fault_profile; check->path is its location. Returns false with
 * the error set if its figures are inconsistent, or it is based on a profile that does not exist.
 * Its own rates refer to nodes of `gpus` devices, unless it gives another number.
 */
bool catalog_faults_read(struct check *, const struct catalog_faults *, const cJSON *object,
                         double gpus, struct fault_profile *);

#endif
