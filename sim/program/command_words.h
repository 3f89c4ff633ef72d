/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Command lines that are printed, for a person or an engine to run them: words, and these quoted
 * for a shell. */
#ifndef SIM_PROGRAM_COMMAND_WORDS_H
#define SIM_PROGRAM_COMMAND_WORDS_H

#include "sim/program/command.h"

struct command_words {
    char **texts; /* owned */
    size_t count;
};

void command_word(struct command_words *, char *text); /* takes ownership of the text */

/* An option as it was given, with all values if it is repeatable; nothing if it was not given. */
void command_option(struct command_words *, const struct cli *, enum option_id);

/* All of them with blanks between, each as a word of a shell. */
void command_print(const struct command_words *, struct out *);
char *command_text(const struct command_words *); /* the same; to be freed */

void command_forget(struct command_words *);

#endif
