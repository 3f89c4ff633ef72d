/* SPDX-License-Identifier: MIT */
/*
 * The command line of an adapter as a table, and everything derived from it: rows for
 * getopt_long(), the help text, the manual page, and completion for bash, zsh and fish.
 *     fauxfleet-slurm --help       fauxfleet-slurm --man >fauxfleet-slurm.1
 *     fauxfleet-slurm --version    fauxfleet-slurm --completion bash
 *
 * Owns nothing: all texts are the caller's plain text and outlive the call.
 */
#ifndef ADAPTERS_PROGRAM_PROGRAM_H
#define ADAPTERS_PROGRAM_PROGRAM_H

#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>

#define PROGRAM_MOST 32 /* options of a program, plus one */

/* Letters of the options common to all programs; a program's own options without a short form start
 * at PROGRAM_OWN. */
enum { PROGRAM_HELP = 256, PROGRAM_VERSION, PROGRAM_MAN, PROGRAM_COMPLETION, PROGRAM_OWN };

struct program_option {
    const char *name;
    int letter;           /* result of getopt_long(): a character is also the short form */
    const char *argument; /* "FILE", "NAME|FILE", "SECONDS"; NULL: none. With FILE, file names are
                             completed. */
    const char *help; /* a clause, with its default in brackets; completion shows the first part */
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
    const char *summary; /* "schedule the jobs of ..." */
    const char
        *text; /* one paragraph per line; lines that begin with a blank are kept as they are */
    const char *exit_codes;               /* a paragraph */
    const struct program_option *options; /* ends with PROGRAM_OPTIONS */
};

/* For getopt_long(): `letters` without a leading ':'. */
void program_getopt(const struct program *, struct option rows[PROGRAM_MOST],
                    char letters[2 * PROGRAM_MOST]);

/* Returns true if the letter is a print-only option. *printed: false if its argument is an unknown
 * shell. */
bool program_answers(const struct program *, int letter, const char *argument, FILE *,
                     bool *printed);

/* Prints completion for a shell (completion.c). Returns false and prints nothing unless `shell` is
 * bash, zsh or fish. */
bool program_completion(const struct program *, const char *shell, FILE *);

#endif
