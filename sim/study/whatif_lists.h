/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Jobs harmed by the changes, as lists of a comparison and as JSON. */
#ifndef SIM_STUDY_WHATIF_LISTS_H
#define SIM_STUDY_WHATIF_LISTS_H

#include "report/compare/lists.h"
#include "sim/base/json.h"
#include "sim/study/whatif_watch.h"

/* Those that are not empty; the caller's. */
struct comparison_list *whatif_lists(struct watch *, int replicas, size_t *count);
void whatif_lists_free(struct comparison_list *, size_t count);

/* Members of the object that is open: "newly_evicted", "newly_displaced", "newly_never_fits"; all
 * of each. */
void whatif_lists_json(struct watch *, int replicas, struct json *);

#endif
