/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions to a person. */
#ifndef SIM_INIT_ASK_H
#define SIM_INIT_ASK_H

#include <stdbool.h>
#include <stdint.h>

/* Returns true if a user can answer: standard input and error are terminals. */
bool ask_somebody(void);

/* Prints "QUESTION [otherwise]: " and reads a line; an empty one, or the end of input, gives a copy
 * of `otherwise`. Owned by the caller. */
char *ask_text(const char *question, const char *otherwise);

/* The same for an integer from 1 to `most`; repeats the question after anything else. */
int64_t ask_number(const char *question, int64_t otherwise, int64_t most);

#endif
