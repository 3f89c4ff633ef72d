/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads whole files, or their start, or checks that they exist. Three outcomes are kept apart: the
 * file was read; it does not exist; it could not be read, which is never the same as absent. For
 * the last two err has the reason, with the path as given. Traces and journals can have any length
 * and have their own readers.
 */
#ifndef SIM_BASE_FILE_H
#define SIM_BASE_FILE_H

#include "sim/base/err.h"

#include <stddef.h>

enum file_found { FILE_ABSENT, FILE_FOUND, FILE_FAILED };

/*
 * The whole file, with a NUL behind its *n bytes (n may be NULL); the caller frees *text, which is
 * NULL unless it was found. A file of more than `most` bytes is FILE_FAILED. It is meant to be
 * text: soon after a NUL byte reading ends, for a device may not; the caller checks if it matters.
 */
enum file_found file_read(const char *path, size_t most, char **text, size_t *n, struct err *err);

/* Its first bytes, at most `room` - 1 of them and a NUL: enough to tell what it is. */
enum file_found file_head(const char *path, char *text, size_t room, struct err *err);

/* Looks for a readable file. */
enum file_found file_find(const char *path, struct err *err);

#endif
