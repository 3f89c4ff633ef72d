/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sources of a scenario: a file, the files that it extends, and the changes of the command
 * line, merged layer by layer into one tree.
 *
 *     command line   --set queues.0.gpu.quota=4          highest precedence
 *     files[0]       day.json      "extends": "base.json"
 *     files[1]       base.json
 *
 * Objects are merged key by key; everything else, including lists, is replaced; null removes a key.
 * The layers are kept, so a message about the merged scenario names the file and line of the
 * uppermost layer with the value.
 *
 * File names inside a file are relative to that file. In the merged tree those of an extended file
 * are relative to the folder of files[0] ("base/jobs.csv" instead of "jobs.csv"); those of the
 * command line stay unchanged.
 */
#ifndef SCENARIOS_LOAD_LAYERS_H
#define SCENARIOS_LOAD_LAYERS_H

#include "scenarios/json/source.h"
#include "scenarios/schema/check.h"
#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define LAYERS_FILES_MAX 16 /* a chain of "extends" */

struct layer_file {
    struct json_source source;
    char *folder; /* relative to that of files[0]; "": the same */
    dev_t device; /* with `inode`, identifies the file under any name, to detect cycles */
    ino_t inode;  /* 0 for text in memory */
};

struct layer_change {
    char *label; /* "--set seed" */
    char *path;
    cJSON *value;
};

struct layers {
    struct layer_file files[LAYERS_FILES_MAX];
    size_t file_count;
    struct layer_change *changes;
    size_t change_count, change_capacity;
    char *folder;       /* of files[0]; "": the working directory */
    char *options_from; /* path of the options that --policy set, or NULL */
    cJSON *merged;
};

/*
 * Reads the file and the files it extends. `base_dir` replaces the folder of the file; may be NULL.
 */
bool layers_open(struct layers *, const char *path, const char *base_dir, struct err *err);

/* The same for text in memory, which must not extend anything. */
bool layers_parse(struct layers *, const char *name, const char *text, size_t n,
                  const char *base_dir, struct err *err);
void layers_close(struct layers *); /* may be zeroed */

/*
 * Makes one change to the merged tree: checks key and value, creates missing objects. Takes
 * ownership of `value`.
 */
bool layers_change(struct layers *, const char *label, const char *path, cJSON *value,
                   struct err *err);

/*
 * For a change given in a file of another folder: makes file names in a value for `path` relative
 * to the working directory, like those of the command line. Other values stay unchanged.
 */
void layers_rebase(const struct layers *, const char *path, cJSON *value, const char *folder);

/*
 * Finds the source of the value at a path of the merged tree: a check.where whose `of` is the
 * layers. Options set by --policy are reported where they are written, below "policies".
 */
bool layers_where(const void *of, const char *path, char where[CHECK_WHERE_MAX]);

/* Returns the path to open for the file named at `path` of the merged tree. The caller frees it. */
char *layers_open_name(const struct layers *, const char *path, const char *value);

#endif
