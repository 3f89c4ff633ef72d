/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields 17 and 18 of SWF: the number of a preceding job, and the think time in seconds between its
 * end and the submission of this job (Feitelson et al., The Standard Workload Format 2.2). They
 * describe how users react. A replay at recorded submit times would count that twice, so they are
 * counted but not used unless the setting `dependencies` is `honour`:
 *
 *     honour    the job waits until the preceding one has ended, however it ended ("any:7"), and
 *               then for the think time
 *
 * A job can only depend on an earlier one in the file that was kept. Notes count any other number
 * by kind, and the job then depends on nothing. With `honour`, the numbers of the jobs read are
 * kept, about 30 bytes each.
 */
#ifndef TRACES_FORMATS_SWF_PRECEDING_H
#define TRACES_FORMATS_SWF_PRECEDING_H

#include "traces/formats.h"

/* Opens and closes the table of job numbers (context->own). */
bool swf_preceding_open(struct format_context *, struct err *err);
void swf_preceding_close(struct format_context *);

/*
 * Sets the dependency of the job in context->row, whose own number is `number`. `preceding` and
 * `think_ms` are fields 17 and 18, 0 and -1 for none.
 */
void swf_preceding_set(struct format_context *, int64_t number, int64_t preceding,
                       int64_t think_ms);

/* Records that the line of job `number` was kept or dropped. */
void swf_preceding_seen(struct format_context *, int64_t number, bool kept);

#endif
