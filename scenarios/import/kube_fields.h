/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the importer treats each field of a Kubernetes object: one row per field, so that an unknown
 * field is noted rather than lost.
 *
 *     read        imported
 *     no matter   without effect on what may start where (an image, a probe, a derived status)
 *     noted       would matter, but the snapshot cannot express it: a note names object and field
 *     open        its members, or those of each list element, have rows of their own
 *
 * A field without a row is noted. Empty values (null, false, 0, "", [], {}) never are.
 *
 * Fields as of November 2026: Kubernetes 1.35, KAI scheduler 0.17 (scheduling.run.ai/v2, v2alpha2),
 * Volcano 1.15 (scheduling.volcano.sh/v1beta1), Kueue 0.15 (v1beta1, v1beta2), coscheduling
 * (scheduling.x-k8s.io/v1alpha1).
 */
#ifndef SCENARIOS_IMPORT_KUBE_FIELDS_H
#define SCENARIOS_IMPORT_KUBE_FIELDS_H

#include "scenarios/import/internal.h"

enum kube_fate { FIELD_READ, FIELD_NO_MATTER, FIELD_NOTED, FIELD_OPEN };

struct kube_field {
    const char *key; /* "a*": keys with this prefix; the first matching row counts */
    enum kube_fate fate;
    const struct kube_field *inside; /* FIELD_OPEN; tables end with a row without a key */
    const char *usual;               /* FIELD_NOTED: another value without effect */
};

extern const struct kube_field kube_node_fields[], kube_pod_fields[], kube_class_fields[];
extern const struct kube_field kube_kai_group_fields[], kube_volcano_group_fields[],
    kube_group_fields[];
extern const struct kube_field kube_kai_queue_fields[], kube_volcano_queue_fields[];
extern const struct kube_field kube_cluster_queue_fields[], kube_local_queue_fields[],
    kube_topology_fields[];

/* Notes the fields of the current object that are not imported. */
void kube_note_fields(struct import *, const cJSON *object, const struct kube_field *);

#endif
