/* SPDX-License-Identifier: MIT */
/* Names numbered in order of first use: GPU types, node labels. */
#ifndef ADAPTERS_SLURM_NAMES_H
#define ADAPTERS_SLURM_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct names { /* all zero: empty */
    char **texts;
    uint32_t count;
};

uint32_t names_number(struct names *, const char *name); /* assigns the next number to a new name */
void names_fini(struct names *);

/* Copies the next part of a text, up to a separator, to the caller's buffer; NULL past the last
 * one. */
const char *names_next(const char **rest, const char *separators, char *buffer, size_t size);

#endif
