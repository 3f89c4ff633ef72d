/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The directory of a run. It is made with those above it, and after a run it holds the files of
 * that run alone: what a former run left there and this one has not written anew is removed.
 *
 *     DIR/summary.json ...       written anew: another file now bears the name
 *     DIR/journal.jsonl          still the file that was there before: removed
 *     DIR/figures/NAME.svg ...   the same
 *     DIR/rep-K/...              the same; a folder goes when it is empty
 *
 * Only regular files with names that the program gives are looked at, and only in folders whose
 * summary.json is one of ours: nothing is a leftover where no run has been.
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

/* What a former run left; owns its paths. */
struct run_dir_previous {
    struct run_dir_file *files;
    char **folders; /* inner ones before those that hold them */
    size_t file_count, file_capacity, folder_count, folder_capacity;
};

/*
 * Makes the directory and those above it, and removes the temporary files that killed runs left in
 * it. False with err set (EXIT_INPUT) when that cannot be.
 */
bool run_dir_make(const char *path, struct err *err);

/*
 * Before the run: notes what is there. False with err set when that cannot be seen, since what is
 * not noted would stay among the files of the new run.
 */
bool run_dir_look(struct run_dir_previous *, const char *dir, struct err *err);

/* After it: removes what is still the same. False with err set (EXIT_INPUT) when a file cannot be
 * removed. */
bool run_dir_tidy(const struct run_dir_previous *, struct err *err);
void run_dir_forget(struct run_dir_previous *);

#endif
