/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What logs of Slurm have in common, whoever exported them: names and numbers of job states, and
 * lists of trackable resources ("TRES"). Used by the formats helios, acme, sacct and slurm.
 */
#ifndef TRACES_SLURM_H
#define TRACES_SLURM_H

#include "traces/formats.h"

/* Takes "Succeeded", "killed" and other words for states, too; notes one that it does not know. */
void slurm_state_word(struct format_context *, const char *text, size_t n);

/* Setter: "COMPLETED", "CANCELLED by 1000", "CANCELED", or a number of slurm.h; sets raw.state. */
const char *slurm_state(void *, const struct csv_column *, const char *, size_t);

/*
 * Sets status and cause of the job from raw.state; false when it had not ended. Reached time
 * limits, failed nodes and lack of memory are failures, preempted jobs are cancelled ones.
 */
bool slurm_is_over(struct format_context *);

/* The same with a note when it had not: the row has to be dropped. */
bool slurm_ended(struct format_context *);

/*
 * "billing=40,cpu=40,gres/gpu:volta=2,gres/gpu=2,mem=340G,node=1" of sacct, "gpu:volta:2(S:0-1)" or
 * "gres:gpu:volta:2" of its older fields for generic resources, or
 * "1=20,2=170000,4=1,1002=2" of the job table, where 1 is CPUs, 2 memory in MiB, 4 nodes and
 * `gpu_id` GPUs. A type of GPU becomes a bit of gpu_types unless there are several. NULL, or what
 * was expected.
 */
const char *slurm_size(struct format_context *, struct format_size *, int64_t gpu_id,
                       const char *text, size_t n);

/*
 * The same without a trace around it; members that the list does not name are left as they are.
 * *type is the only type of GPU that is named, within the text and not terminated, or NULL.
 */
bool slurm_resources(struct format_size *, int64_t gpu_id, const char *text, size_t n,
                     const char **type, size_t *type_length);

/*
 * The job's shape from raw.requested or raw.allocated, as the setting `tres` says, and from the
 * other where that one is empty; a note when they differ in GPUs.
 */
void slurm_shape(struct format_context *);

#endif
