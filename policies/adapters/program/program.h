/* SPDX-License-Identifier: MIT */
/*
 * The command line of an adapter as a table, and what follows from the table: rows for
 * getopt_long(), the help text, the manual page, and completion in bash, zsh and fish.
 *
 *     fauxfleet-slurm --help           fauxfleet-slurm --man >fauxfleet-slurm.1
 *     fauxfleet-slurm --version        fauxfleet-slurm --completion bash
 *
 * Owns nothing: all texts are the caller's, in plain words, and outlive the call.
 */
#ifndef ADAPTERS_PROGRAM_PROGRAM_H
#define ADAPTERS_PROGRAM_PROGRAM_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#define PROGRAM_MOST 32 /* options of a program, and one more */

/* Letters of the options that every program has; its own begin with PROGRAM_OWN where they have no
 * short form. */
enum { PROGRAM_HELP = 256, PROGRAM_VERSION, PROGRAM_MAN, PROGRAM_COMPLETION, PROGRAM_OWN };

struct program_option {
    const char *name;
    int letter;           /* what getopt_long() answers: a character is the short form, too */
    const char *argument; /* "FILE", "NAME|FILE", "SECONDS"; NULL: it has none. With FILE file names
                             are completed. */
    const char
        *help; /* a clause, its default in brackets; the first part of it is shown by completion */
};

// clang-format off
#define PROGRAM_OPTIONS \
    {"help",       PROGRAM_HELP,       NULL,    "show this help and exit"}, \
    {"version",    PROGRAM_VERSION,    NULL,    "show the version and exit"}, \
    {"man",        PROGRAM_MAN,        NULL,    "print the manual page (roff) and exit"}, \
    {"completion", PROGRAM_COMPLETION, "SHELL", \
     "print completion for bash, zsh or fish and exit"}, \
    {NULL,         0,                  NULL,    NULL}
// clang-format on

struct program {
    const char *name, *version;
    const char *summary;    /* "schedule the jobs of ..." */
    const char *text;       /* a paragraph a line; lines that begin with a blank stay as they are */
    const char *exit_codes; /* a paragraph */
    const struct program_option *options; /* the last one is PROGRAM_OPTIONS */
};

/* For getopt_long(): `letters` without a leading ':'. */
void program_getopt(const struct program *, struct option rows[PROGRAM_MOST],
                    char letters[2 * PROGRAM_MOST]);

/* True when the letter is one of those that only print something. *printed: and did; else the
 * argument is no shell. */
bool program_answers(const struct program *, int letter, const char *argument, FILE *,
                     bool *printed);

/* Completion for a shell (completion.c). False, and nothing is printed, unless `shell` is bash, zsh
 * or fish. */
bool program_completion(const struct program *, const char *shell, FILE *);

#endif
