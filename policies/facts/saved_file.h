/* SPDX-License-Identifier: MIT */
/*
 * A state file with mode 0600 that at any time is either the old one or the new one. It is written
 * under a temporary name (temporary.h), synced and renamed; leftovers of killed writers are removed
 * first.
 */
#ifndef POLICY_FACTS_SAVED_FILE_H
#define POLICY_FACTS_SAVED_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Returns false with the reason in `error`; after a machine crash the file may then be the old or
 * the new one. */
bool saved_file_write(const char *path, const char *bytes, size_t n, char *error, size_t size);

/* Checks whether it could be written, without writing. */
bool saved_file_try(const char *path, char *error, size_t size);

/* Reads the whole file into memory to be freed; *bytes is NULL if there is no file. Returns false
 * with the reason in `error`. */
bool saved_file_read(const char *path, char **bytes, size_t *n, char *error, size_t size);

#endif
