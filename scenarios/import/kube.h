/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files that read Kubernetes objects for a snapshot.
 *
 *     kube.c          dispatch by kind; nodes
 *     kube_fields.c   which fields of an object are not imported, from the tables in kube_tables.c
 *     kube_amounts.c  quantities, total requests of a pod
 *     kube_times.c    times and durations
 *     kube_pods.c     pods: job, queue, state, node requirements
 *     kube_groups.c   pod groups: gangs, subgroups
 *     kube_queues.c   queues, topologies, priority classes
 *     rules.c         node requirements that a snapshot cannot express, as labels
 *     shares.c        the device of a GPU share
 */
#ifndef SCENARIOS_IMPORT_KUBE_H
#define SCENARIOS_IMPORT_KUBE_H

#include "scenarios/import/internal.h"

#define KUBE_MOST_GPUS 64 /* of a node */

enum kube_resource { KUBE_GPU, KUBE_CPU, KUBE_MEM, KUBE_RESOURCES };

struct kube_amounts {
    double of[KUBE_RESOURCES]; /* GPUs, cores, bytes */
};

/*
 * Returns a quantity such as "500m", "2", "16Gi", "1e3" as a number of cores or bytes; NaN if
 * invalid.
 */
double kube_quantity(const cJSON *);

/* Finds a resource by name; KUBE_RESOURCES: another one. */
enum kube_resource kube_resource_of(const char *name);

bool kube_lists(const cJSON *resources, enum kube_resource); /* the list has one of that kind */

/* Reads a list of resources; unknown ones are ignored. */
bool kube_read_amounts(struct import *, const cJSON *resources, struct kube_amounts *,
                       struct err *);

/* Writes gpus, cpu_milli and mem_mib; use floor() for capacities, ceil() for requests. */
void kube_put_amounts(cJSON *to, const struct kube_amounts *, double (*rounding)(double));

/*
 * Writes the MIG instances in a list of resources to member `key`; returns true if there are any.
 */
bool kube_put_mig(cJSON *to, const char *key, const cJSON *resources);

/* Writes gpus, cpu_milli, mem_mib and mig of a task, added up as the scheduler does for a pod. */
bool kube_put_request(struct import *, cJSON *task, const cJSON *pod_spec, struct err *);

/* Returns the first of some labels or annotations that is set; "": none. */
const char *kube_first_of(const cJSON *object, const char *const *keys, size_t count);
void kube_copy_texts(cJSON *to, const char *key, const cJSON *texts);

/*
 * Writes a job's topology constraint from { topology, requiredTopologyLevel, preferredTopologyLevel
 * }; NULL is allowed.
 */
void kube_put_constraint(cJSON *to, const cJSON *from);

/* Adds a role with that minimum of tasks. */
void kube_add_role(cJSON *roles, const char *name, double least, const cJSON *constraint);

/* Writes the id of the job with that name in a namespace. */
#define KUBE_JOB_ID 520
void kube_job_id(const cJSON *meta, const char *name, char id[KUBE_JOB_ID]);
bool kube_add_pod(struct import *, const cJSON *, struct err *);
bool kube_add_group(struct import *, const cJSON *, struct err *);
bool kube_add_kai_queue(struct import *, const cJSON *, struct err *);
bool kube_add_volcano_queue(struct import *, const cJSON *, struct err *);
bool kube_add_cluster_queue(struct import *, const cJSON *, struct err *);
bool kube_add_local_queue(struct import *, const cJSON *, struct err *);
bool kube_add_topology(struct import *, const cJSON *, struct err *);
bool kube_add_class(struct import *, const cJSON *, struct err *);

/* Writes the object's identity and generation, so that later changes can be detected. */
void kube_put_origin(cJSON *to, const cJSON *from);
bool kube_is_of(const cJSON *object, const char *group); /* its apiVersion is GROUP/VERSION */
/* Returns the queue that its labels name, else its namespace. */
const char *kube_queue_of(struct import *, const cJSON *meta);

/* Parse a time such as "2026-01-31T12:00:00Z"; INT64_MIN if the member is absent. */
bool kube_moment(const char *text, int64_t *ms);
bool kube_read_moment(struct import *, const cJSON *object, const char *key, int64_t *ms,
                      struct err *);
void kube_conditions_seen(struct import *, const cJSON *conditions); /* their times are events */

/* Parses a Go duration such as "1h30m"; may be negative. */
bool kube_duration(const char *text, double *ms);

#endif
