/* SPDX-License-Identifier: MIT */
/*
 * A state as a file of its owner's alone (mode 0600), which is the old one or the new one at any time, on the disk when it is said
 * to be. It is written as "PATH.new", which nobody else writes: whoever saves a state holds the lock on its log. What is left of
 * one that was killed goes with the next save; a link of that name is not followed.
 */
#ifndef ADAPTERS_FACTS_SAVED_FILE_H
#define ADAPTERS_FACTS_SAVED_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False with the reason in `error`: the old file is still there. */
bool saved_file_write(const char *path, const char *bytes, size_t n, char *error, size_t size);

/* Whether it could be written, without writing it. */
bool saved_file_try(const char *path, char *error, size_t size);

/* All of it, to be freed, *bytes NULL when there is no file. False with the reason in `error`. */
bool saved_file_read(const char *path, char **bytes, size_t *n, char *error, size_t size);

#endif
