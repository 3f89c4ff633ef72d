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
    struct symbols *job_ids;
    cJSON **job_of; /* by symbol */
    size_t queue_capacity, job_capacity;
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
void import_queue_of(struct import *, cJSON *job, const char *queue); /* another queue for a job */
cJSON *import_queue(struct import *, const char *name);               /* a queue that a file describes */
cJSON *import_node(struct import *, const char *name);
cJSON *import_task(cJSON *job, const char *id, const char *state, const char *node);

/* An event at that time: it moves `now` on. */
void import_event(struct import *, int64_t ms);

void import_number(cJSON *object, const char *key, double value); /* sets or replaces */
const char *import_text(const cJSON *object, const char *key);    /* "" unless it is a text */
const cJSON *import_at(const cJSON *object, const char *key);     /* NULL unless there */

/* import_kube.c */
bool import_kube(struct import *, const cJSON *root, struct err *err);

/* import_slurm.c */
bool import_slurm(struct import *, const cJSON *root, struct err *err);

#endif
