/* SPDX-License-Identifier: MIT */
/* Completion of a program's options, for a shell. */
#ifndef ADAPTERS_PROGRAM_COMPLETION_H
#define ADAPTERS_PROGRAM_COMPLETION_H

#include "policies/adapters/program/program.h"

/* False, and nothing is printed, unless `shell` is bash, zsh or fish. */
bool program_completion(const struct program *, const char *shell, FILE *);

#endif
