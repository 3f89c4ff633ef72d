/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the importers: the snapshot under construction and functions to add to it. */
#ifndef SCENARIOS_IMPORT_INTERNAL_H
#define SCENARIOS_IMPORT_INTERNAL_H

#include "scenarios/import/import.h"
#include "sim/base/symbols.h"
#include "traces/trace_internal.h"

#include <cjson/cJSON.h>
#include <stdint.h>

#define IMPORT_KIND   64
#define IMPORT_OBJECT 520

struct import {
    cJSON *root, *nodes, *queues, *jobs; /* the lists belong to the root */
    struct trace_note_list notes;
    struct symbols *queue_names;  /* named by jobs or described by files */
    bool *queue_given;            /* by symbol: a file describes it */
    bool *queue_wanted;           /* a job or a described queue names it */
    struct symbols *meant_queues; /* named by objects themselves, not their namespaces */
    struct symbols *job_ids;
    cJSON **job_of; /* by symbol */
    size_t queue_capacity, job_capacity;
    struct symbols *ended_ids; /* jobs, or their subgroups, whose ended tasks are left out */
    uint32_t *ended;           /* how many, by symbol */
    size_t ended_capacity;
    cJSON *classes, *aliases;   /* values of priority classes; queues by NAMESPACE/NAME */
    cJSON *schedulers;          /* of pending pods, by name */
    struct symbols *rule_names; /* rules.h */
    cJSON **rules;              /* by symbol */
    size_t rule_capacity;
    int64_t now_ms; /* time of the latest event; 0: none */
    const char *file;
    const char *list; /* of the current object, "items", for messages */
    size_t index;
    /* the current object, for notes on its fields (notes.c) */
    char kind[IMPORT_KIND], object[IMPORT_OBJECT];
    uint64_t serial;
    struct symbols *field_names;
    struct import_field *fields; /* by symbol */
    size_t field_capacity;
};

/* Counts one more object of which `what`, a literal, was left out. */
void import_note(struct import *, const char *what);

/*
 * Sets the current object, "podgroup ml/a"; space "": none. The other function notes that its field
 * at `path` is not imported.
 */
void import_subject(struct import *, const char *kind, const char *space, const char *name);
void import_task_subject(struct import *, const cJSON *job, const cJSON *task); /* its pod */
void import_note_field(struct import *, const char *path, const char *what);
void import_notes_finish(struct import *); /* turns them into notes; call once */
void import_notes_fini(struct import *);

/* Sets the error with file and object; returns false. */
bool import_fail(struct import *, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the job with that id; creates it and its queue if it is new. */
cJSON *import_job(struct import *, const char *id, const char *queue);
cJSON *import_find_job(const struct import *, const char *id); /* NULL: none */
void import_queue_of(cJSON *job, const char *queue);           /* another queue for a job */
cJSON *import_queue(struct import *, const char *name);        /* a queue that a file describes */
void import_queue_name(struct import *, const char *name);     /* a queue that another one names */
void import_queue_meant(struct import *,
                        const char *name); /* noted if no file describes it; "": none */
cJSON *import_node(struct import *, const char *name);
cJSON *import_task(cJSON *job, const char *id, const char *state, const char *node);

/* Records an event at that time; the latest one sets `now`. */
void import_event(struct import *, int64_t ms);

/* Set or replace a member. */
void import_number(cJSON *object, const char *key, double value);
void import_put_text(cJSON *object, const char *key, const char *text);
cJSON *import_object(cJSON *object,
                     const char *key); /* returns the existing object, else a new one */
const char *import_text(const cJSON *object, const char *key); /* "" unless it is a string */
const cJSON *import_at(const cJSON *object, const char *key);  /* NULL if absent */

/*
 * For iterating over members by key, which elements of a list do not have: returns NULL unless it
 * is an object.
 */
const cJSON *import_members(const cJSON *);

/* Keep the later, or earlier, of two times. */
void import_latest(cJSON *object, const char *key, int64_t ms);
void import_earliest(cJSON *object, const char *key, int64_t ms);

/*
 * Temporary members of jobs, roles and tasks until all files are read, and what import_finish()
 * makes of them: the job's priority from the value of its class, or its group's; roles that exist
 * while they have tasks; a task's role if its job has it; tasks stuck in deletion; devices of
 * running shares.
 */
#define IMPORT_CLASS             "priority_class"
#define IMPORT_GROUP_CLASS       "group_priority_class"
#define IMPORT_GROUP_PREEMPTIBLE "group_preemptibility"
/* false: its pods name a group that has not been read */
#define IMPORT_GROUPED       "pod_group_described"
#define IMPORT_OPTIONAL      "optional_role"
#define IMPORT_DELETED       "deleted_ms"
#define IMPORT_SUBGROUP      "subgroup"
#define IMPORT_DEVICE_GROUPS "device_groups"
#define IMPORT_RULES         "rules" /* numbers; see rules.h */

void import_class(cJSON *job, const char *name);
void import_class_value(struct import *, const char *name, const cJSON *value, bool is_default);
void import_alias(struct import *, const char *space, const char *name, const char *queue);
void import_ended(struct import *, const char *job,
                  const char *subgroup); /* counts one more succeeded task */
void import_finish(struct import *);     /* after all files are read */

/* Add a job and a queue that are already in the lists; returns false if the job's id exists. */
bool import_know_job(struct import *, cJSON *job);
void import_know_queue(struct import *, const char *name);

/* base.c: adds to an existing snapshot */
bool import_base(struct import *, const cJSON *root, struct err *err);

/* stuck.c: tasks stuck in deletion keep their devices */
void import_stuck(struct import *);

/* shares.c: devices for running tasks on shares without a device */
void import_place_shares(struct import *);

/* used.c: raises nodes to what their tasks hold; drops tasks on unknown nodes */
void import_fit_nodes(struct import *);

/* kube.c */
bool import_kube(struct import *, const cJSON *root, struct err *err);

/* slurm.c */
bool import_slurm(struct import *, const cJSON *root, struct err *err);

#endif
