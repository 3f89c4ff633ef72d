/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Imports snapshots of real clusters: the output of `kubectl get ... -o json` and Slurm's `squeue
 * --json` becomes a snapshot of ours (scenarios/snapshot/snapshot.h). Several files make one
 * snapshot, nodes from one and jobs from another; each is recognised by its content.
 *
 * A snapshot of ours may come first; later files add to it.
 *
 * The time of the snapshot is that of the latest event in the files. Queues that jobs name but no
 * file describes are created without quota and limit. Nothing is guessed: what a snapshot cannot
 * express is left out and counted in a note.
 */
#ifndef SCENARIOS_IMPORT_IMPORT_H
#define SCENARIOS_IMPORT_IMPORT_H

#include "sim/base/err.h"
#include "sim/base/out.h"
#include "traces/trace.h"

#include <stdbool.h>
#include <stddef.h>

struct import;

struct import *import_create(void);
bool import_add(struct import *, const char *path, struct err *err);
bool import_parse(struct import *, const char *name, const char *text, size_t n, struct err *err);
/*
 * Prints the snapshot as JSON; call once, after all files. With a key, names are replaced by
 * pseudonyms, and the key maps them (anonymise.h); NULL: names are kept.
 */
void import_print(struct import *, struct out *, struct out *key);

/* Returns what was left out, with the number of objects; first_line is 0. */
const struct trace_note *import_notes(const struct import *, size_t *count);
void import_destroy(struct import *); /* NULL is allowed */

#endif
