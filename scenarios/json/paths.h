/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * File names within files: in a scenario, a plan or a suite they are relative to its folder. The
 * caller frees all texts.
 */
#ifndef SCENARIOS_JSON_PATHS_H
#define SCENARIOS_JSON_PATHS_H

#include "sim/base/digest.h"
#include "sim/base/err.h"

char *path_folder(const char *file); /* "a/b" of "a/b/c.json", "/" of "/c.json", "" of "c.json" */
char *path_stem(const char *file);   /* "c" of "a/b/c.json" */

/*
 * Returns the path to open for a name in a file of the folder; absolute paths and "-" are
 * unchanged.
 */
char *path_beside(const char *folder, const char *name);

/* Adds the bytes of the file to a digest; returns false with err set if it cannot be read. */
bool path_digest(struct digest *, const char *file, struct err *err);

#endif
