/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory of a run. It is created with its parents, and after a run it contains the files of
 * that run alone: files of a previous run that were not written anew are removed.
 *
 *     DIR/summary.json ...       written anew: another file has that name now
 *     DIR/journal.jsonl          still the file that was there before: removed
 *     DIR/figures/NAME.svg ...   the same
 *     DIR/rep-K/...              the same; an empty folder is removed
 *
 * Only regular files with names that the program uses are considered, and only in folders whose
 * summary.json is ours: where there was no run there are no leftovers.
 *
 *     struct run_dir_previous former = {0};
 *     run_dir_look(&former, dir);
 *     ... the run ...
 *     ok = run_dir_tidy(&former, &err);
 *     run_dir_forget(&former);
 */
#ifndef SIM_STUDY_RUN_DIR_H
#define SIM_STUDY_RUN_DIR_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct run_dir_file {
    char *path;
    struct stat before;
};

/* Files of a previous run; owns its paths. */
struct run_dir_previous {
    struct run_dir_file *files;
    char **folders; /* inner folders first */
    size_t file_count, file_capacity, folder_count, folder_capacity;
};

/*
 * Makes the directory and those above it, and removes the temporary files that killed runs left in
 * it. False with err set (EXIT_INPUT) when that cannot be.
 */
bool run_dir_make(const char *path, struct err *err);

/*
 * Before the run: records existing files. Returns false with err set if that fails, since
 * unrecorded files would stay among those of the new run.
 */
bool run_dir_look(struct run_dir_previous *, const char *dir, struct err *err);

/* After the run: removes files that are still the same. Returns false with err set (EXIT_INPUT) if
 * one cannot be removed. */
bool run_dir_tidy(const struct run_dir_previous *, struct err *err);
void run_dir_forget(struct run_dir_previous *);

#endif
