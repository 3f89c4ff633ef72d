/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Common to all logs of Slurm, whoever exported them: names and numbers of job states, and lists of
 * trackable resources ("TRES").
 */
#ifndef TRACES_SLURM_H
#define TRACES_SLURM_H

#include "traces/formats.h"

/* Sets raw.state; also accepts other systems' words, such as "Succeeded" and "killed". A note
 * counts unknown words. */
void slurm_state_word(struct format_context *, const char *text, size_t n);

/* Setter: "COMPLETED", "CANCELLED by 1000", "CANCELED", or a number of slurm.h; sets raw.state. */
const char *slurm_state(void *, const struct csv_column *, const char *, size_t);

/*
 * Sets the job's status and cause from raw.state; returns false if the job had not ended. TIMEOUT,
 * NODE_FAIL and OUT_OF_MEMORY count as failed, PREEMPTED as cancelled.
 */
bool slurm_is_over(struct format_context *);

/* Like slurm_is_over(), with a note that the row is dropped if the job had not ended. */
bool slurm_ended(struct format_context *);

/*
 * Reads a list of resources: "billing=40,cpu=40,gres/gpu:volta=2,gres/gpu=2,mem=340G,node=1" of
 * sacct, "gpu:volta:2(S:0-1)" or "gres:gpu:volta:2" of its older fields, or
 * "1=20,2=170000,4=1,1002=2" of the job table, where 1 is CPUs, 2 memory in MiB, 4 nodes and
 * `gpu_id` GPUs. A single GPU type becomes a bit of gpu_types. Returns NULL, or what was expected.
 */
const char *slurm_size(struct format_context *, struct format_size *, int64_t gpu_id,
                       const char *text, size_t n);

/*
 * The same without a trace. Members of *size that the list does not name stay as they are. *type is
 * the GPU type if there is exactly one, within the text and not terminated; else NULL.
 */
bool slurm_resources(struct format_size *, int64_t gpu_id, const char *text, size_t n,
                     const char **type, size_t *type_length);

/*
 * Sets the job's shape from raw.requested or raw.allocated, as the setting `tres` says, or from the
 * other one if that is empty; a note if their GPUs differ.
 */
void slurm_shape(struct format_context *);

#endif
