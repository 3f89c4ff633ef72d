/* SPDX-License-Identifier: MIT */
/*
 * A state as a file of its owner's alone (mode 0600), which is the old one or the new one at any
 * time. It is written under a temporary name (temporary.h), brought to the disk and renamed; what a
 * killed writer left is removed before the next.
 */
#ifndef POLICY_FACTS_SAVED_FILE_H
#define POLICY_FACTS_SAVED_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* False with the reason in `error`: whether it is the new one after a crash of the machine is not
 * known. */
bool saved_file_write(const char *path, const char *bytes, size_t n, char *error, size_t size);

/* True if it could be written; nothing is. */
bool saved_file_try(const char *path, char *error, size_t size);

/* All of it, to be freed, *bytes NULL when there is no file. False with the reason in `error`. */
bool saved_file_read(const char *path, char **bytes, size_t *n, char *error, size_t size);

#endif
