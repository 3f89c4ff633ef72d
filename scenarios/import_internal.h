/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the importers of snapshots share: the snapshot under construction and ways to add to it. */
#ifndef SCENARIOS_IMPORT_INTERNAL_H
#define SCENARIOS_IMPORT_INTERNAL_H

#include "scenarios/import.h"
#include "sim/base/symbols.h"
#include "traces/trace_internal.h"

#include <cjson/cJSON.h>
#include <stdint.h>

struct import {
    cJSON *root, *nodes, *queues, *jobs; /* the lists belong to the root */
    struct trace_note_list notes;
    struct symbols *queue_names; /* that jobs name or files describe */
    bool *queue_given;           /* by symbol: a file describes it */
    bool *queue_wanted;          /* a job or a queue that is described names it */
    struct symbols *job_ids;
    cJSON **job_of; /* by symbol */
    size_t queue_capacity, job_capacity;
    struct symbols *ended_ids; /* jobs of which tasks have succeeded and are left out */
    uint32_t *ended;           /* how many, by symbol */
    size_t ended_capacity;
    cJSON *classes, *aliases;   /* values of priority classes; queues by NAMESPACE/NAME */
    struct symbols *rule_names; /* import_rules.h */
    cJSON **rules;              /* by symbol */
    size_t rule_capacity;
    int64_t now_ms; /* of the latest event; 0 none */
    const char *file;
    const char *list; /* of the object at hand, "items", for messages */
    size_t index;
};

/* One more object of which `what` was left out. */
void import_note(struct import *, const char *what);

/* Sets the error with file and object; returns false. */
bool import_fail(struct import *, struct err *err, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The job of that id, which is made with its queue if it is new. */
cJSON *import_job(struct import *, const char *id, const char *queue);
cJSON *import_find_job(const struct import *, const char *id); /* NULL none */
void import_queue_of(cJSON *job, const char *queue);           /* another queue for a job */
cJSON *import_queue(struct import *, const char *name);        /* a queue that a file describes */
void import_queue_name(struct import *, const char *name);     /* a queue that another one names */
cJSON *import_node(struct import *, const char *name);
cJSON *import_task(cJSON *job, const char *id, const char *state, const char *node);

/* An event at that time: it moves `now` on. */
void import_event(struct import *, int64_t ms);

/* Set or replace. */
void import_number(cJSON *object, const char *key, double value);
void import_put_text(cJSON *object, const char *key, const char *text);
cJSON *import_object(cJSON *object, const char *key);          /* the object that is there, else a new one */
const char *import_text(const cJSON *object, const char *key); /* "" unless it is a text */
const cJSON *import_at(const cJSON *object, const char *key);  /* NULL unless there */

/* For going over members by their keys, which the elements of a list do not have: NULL unless it is an object. */
const cJSON *import_members(const cJSON *);

/*
 * Members of jobs and tasks that stand there until all files are read, and what import_finish() makes of them: the job's
 * priority from the value of its class, a task's role if its job has that one, devices of running shares.
 */
#define IMPORT_CLASS         "priority_class"
#define IMPORT_SUBGROUP      "subgroup"
#define IMPORT_DEVICE_GROUPS "device_groups"
#define IMPORT_RULES         "rules" /* numbers, see import_rules.h */

void import_class(cJSON *job, const char *name);
void import_class_value(struct import *, const char *name, const cJSON *value);
void import_alias(struct import *, const char *space, const char *name, const char *queue);
void import_ended(struct import *, const char *job); /* one more task that has succeeded */
void import_finish(struct import *);                 /* when all is read */

/* A job and a queue that are in the lists already; false when there is a job of that id. */
bool import_know_job(struct import *, cJSON *job);
void import_know_queue(struct import *, const char *name);

/* import_base.c: a snapshot that is there already, to be added to */
bool import_base(struct import *, const cJSON *root, struct err *err);

/* import_shares.c: devices for tasks that run on a share of some and do not say on which */
void import_place_shares(struct import *);

/* import_used.c: nodes have what their tasks hold; tasks on nodes that are not there are left out */
void import_fit_nodes(struct import *);

/* import_kube.c */
bool import_kube(struct import *, const cJSON *root, struct err *err);

/* import_slurm.c */
bool import_slurm(struct import *, const cJSON *root, struct err *err);

#endif
