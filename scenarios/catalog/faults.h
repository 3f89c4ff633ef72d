/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The catalogue of faults, scenarios/catalog/faults.json: the classes with their figures, where
 * each figure comes from and how well it is founded; and profiles, which say what holds of a kind
 * of fleet. A profile may also be given as an object of a scenario; reading one is a function by
 * itself.
 *
 *     "classes": {"hbm": {"id": "C3", "rate": 0.651, "marks": {"rate": "D"}, ...}, ...}
 *     "faults":  {"a100_busy": {"based_on": "h100", "total": 6.5, "classes": {"link": {"rate":
 *                0.633}}}}
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

/* The mark of a figure; 'A' where there is none. */
char catalog_mark_of(const struct catalog_marks *, const char *key);

struct catalog_fault_class {
    const char *name, *id, *summary, *source;
    struct catalog_marks marks;
    struct fault_class class;
    /* Figures of repairs that the class says itself, and does not take from the profile. */
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
    cJSON *tree; /* where the texts are */
};

bool catalog_faults(struct catalog_faults **, struct err *err);
void catalog_faults_free(struct catalog_faults *); /* NULL is fine */

/* The same from a text in memory, for tests. */
bool catalog_faults_parse(struct catalog_faults **, const char *name, const char *text, size_t n,
                          struct err *err);

/* A profile by name; NULL when there is none. */
const struct catalog_fault_profile *catalog_faults_find(const struct catalog_faults *,
                                                        const char *name);

/*
 * Reads an object that passed schema_fault_profile; check->path is where it stands. False with the
 * error set when its figures do not go together, or it is based on a profile that does not exist.
 * The rates that it states itself are meant for nodes of so many `gpus`, unless it says how many.
 */
bool catalog_faults_read(struct check *, const struct catalog_faults *, const cJSON *object,
                         double gpus, struct fault_profile *);

#endif
