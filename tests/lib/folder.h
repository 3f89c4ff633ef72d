/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder for one test: made empty or as a copy of a fixture, filled with files from texts,
 * removed with everything in it. Paths are returned in one buffer of the folder and live until the
 * next call.
 */
#ifndef TESTS_LIB_FOLDER_H
#define TESTS_LIB_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define FOLDER_PATH 512

struct folder {
    char path[FOLDER_PATH];
    char buffer[2 * FOLDER_PATH];
};

void folder_make(struct folder *);

/* Copies the plain files of `fixture` into the folder. */
void folder_copy(struct folder *, const char *fixture);

const char *folder_path(struct folder *, const char *name);
void folder_put(struct folder *, const char *name, const char *text);
void folder_put_bytes(struct folder *, const char *name, const void *bytes, size_t n);
void folder_sub(struct folder *, const char *name); /* makes a folder in it */
bool folder_has(struct folder *, const char *name);
size_t folder_count(const struct folder *, const char *suffix); /* how many names end so; "": all */

/* The whole file, NUL-terminated, freed by the caller. */
char *folder_read(struct folder *, const char *name);

/* Removes all of it, three levels deep at most. */
void folder_remove(struct folder *);

#endif
