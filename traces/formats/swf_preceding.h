/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fields 17 and 18 of SWF: the number of a preceding job, and the seconds of think time between its
 * end and the submission of this one (Feitelson et al., The Standard Workload Format 2.2). They
 * describe how users react, and with them the recorded submit time of a replay would be counted
 * twice: unless the setting `dependencies` says `honour` they are counted and not used.
 *
 *     honour    the job waits until the preceding one has ended, however it ended ("any:7"), and
 *               then for the think time
 *
 * Only a job that stands before it in the file and was kept can be waited for. Whatever else the
 * field names is counted as a note by its kind, and the job waits for nothing then. The numbers of
 * the jobs seen are kept while a file is read with `honour`, some 30 bytes each; nothing without.
 */
#ifndef TRACES_FORMATS_SWF_PRECEDING_H
#define TRACES_FORMATS_SWF_PRECEDING_H

#include "traces/formats.h"

/* Opens and closes the book of job numbers (context->own). */
bool swf_preceding_open(struct format_context *, struct err *err);
void swf_preceding_close(struct format_context *);

/*
 * The links of the job in context->row, whose own number is `number`. `preceding` and `think_ms`
 * are fields 17 and 18, 0 and -1 for none.
 */
void swf_preceding_set(struct format_context *, int64_t number, int64_t preceding,
                       int64_t think_ms);

/* The line of job `number` was kept, or dropped. */
void swf_preceding_seen(struct format_context *, int64_t number, bool kept);

#endif
