/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A gate's results in words, shared by all its reports. The caller frees returned texts unless it
 * passed a buffer.
 */
#ifndef REPORT_GATE_WORDS_H
#define REPORT_GATE_WORDS_H

#include "report/gate/state.h"

#define GATE_TEXT 96

extern const char *const gate_side_names[SIDES];            /* "base", "candidate" */
extern const char *const gate_verdict_words[GATE_VERDICTS]; /* "PASS", "INVARIANT VIOLATED" */

/* Cells of a table; harm is a share of the base's mean unless that is 0: "+12.3%". */
const char *gate_value_text(char text[GATE_TEXT], const struct gate_row *, int side);
const char *gate_harm_text(char text[GATE_TEXT], const struct gate_row *);
const char *gate_interval_text(char text[GATE_TEXT],
                               const struct gate_row *); /* "+5.0% .. +20.1%" */
const char *gate_margin_text(char text[GATE_TEXT], const struct gate_row *);

/*
 * Returns "12.3% worse (95.5% interval +5.0% .. +20.1%, tolerated 5.0%) over 20 replicas", and why
 * a row has no verdict.
 */
char *gate_row_words(const struct gate *, const struct gate_row *);

/*
 * Returns the note that must accompany money (report/words/price_note.h); NULL if no metric is
 * about money. The caller frees it.
 */
char *gate_price_words(const struct gate *);

/*
 * Returns lines about the first different decision: where and when, and a line for each side; "" if
 * it is unknown.
 */
char *gate_difference_words(const struct gate *);

#endif
