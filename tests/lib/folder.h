/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A folder for one test: created empty or as a copy of a fixture, filled with files from texts, and
 * removed with its contents. Returned paths are in one buffer of the folder and live until the next
 * call.
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
void folder_sub(struct folder *, const char *name); /* creates a subfolder */
bool folder_has(struct folder *, const char *name);
size_t folder_count(const struct folder *,
                    const char *suffix); /* number of names with this ending; "": all */

/* The whole file, NUL-terminated, freed by the caller. */
char *folder_read(struct folder *, const char *name);

/* Removes the folder and up to three levels of its contents. */
void folder_remove(struct folder *);

#endif
