/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's documentation, generated from the rows of commands and options: help for the
 * terminal, 80 columns wide, the manual pages, roff for man(7), and shell completions. Writers
 * belong to the caller.
 */
#ifndef SIM_PROGRAM_HELP_H
#define SIM_PROGRAM_HELP_H

#include "sim/program/command.h"

void help_overview(struct out *); /* fauxfleet --help */
void help_command(struct out *, const struct command *group,
                  const struct command *); /* group NULL: none */
void help_version(struct out *);
void help_manual(struct out *,
                 const struct command *); /* fauxfleet(1) if NULL, else fauxfleet-COMMAND(1) */

/* What bash, zsh or fish has to read to complete the words of a command line; false, with err set:
 * another shell. */
bool help_completion(struct out *, const char *shell, struct err *);

/* A term and its meaning: exit codes, environment. Tables end with a row without a term. */
struct help_term {
    const char *term, *meaning;
};
extern const struct help_term help_exit_codes[], help_environment[];
extern const char help_about[]; /* one paragraph about the program */

/* The help text of an option for a command, and the placeholder of its argument (NULL: it takes
 * none). */
const char *help_option(const struct option_use *);
const char *help_argument(const struct option_use *);

/* "fauxfleet run [OPTION]... SCENARIO.json -o DIR", in the caller's buffer, which is returned. */
const char *help_usage(char *buffer, size_t size, const struct command *group,
                       const struct command *);

#endif
