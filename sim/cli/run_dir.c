/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and tidying the directory of a run; see run_dir.h. */
#include "sim/cli/run_dir.h"

#include "report/figures.h"
#include "sim/base/mem.h"
#include "sim/base/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that the program writes into a run directory, but for the figures, whose names are those of their table. */
static const char *const file_names[] = {
    "jobs.csv",      "journal.jsonl", "snapshot.json", "timeline.csv", "reasons.csv",
    "heatmap.csv",   "fabric.csv",    "faults.csv",    "services.csv", "queues.csv",
    "scenario.json", "summary.json",  "timing.json",   "report.html",
};
static const char *const figure_suffixes[] = {"svg", "dat", "gp"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

bool run_dir_make(const char *path, struct err *err)
{
    char *part = mem_text(path);
    bool ok = true;
    for (char *c = part + 1; ok && c[-1] != '\0'; c++) {
        if (*c != '/' && *c != '\0')
            continue;
        char kept = *c;
        *c = '\0';
        ok = mkdir(part, 0777) == 0 || errno == EEXIST || errno == EISDIR;
        if (!ok)
            err_set(err, EXIT_INPUT, "cannot make directory '%s': %s", part, strerror(errno));
        *c = kept;
    }
    struct stat info;
    if (ok && (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)))
        ok = err_set(err, EXIT_INPUT, "'%s' is not a directory", path);
    if (ok)
        temporary_sweep(path);
    free(part);
    return ok;
}

/* ---- what is there before ---- */

/* Takes the path. */
static void note_file(struct run_dir_former *former, char *path)
{
    struct stat info;
    if (lstat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        free(path);
        return;
    }
    former->files =
        mem_grow(former->files, &former->file_capacity, former->file_count + 1, sizeof *former->files);
    former->files[former->file_count++] = (struct run_dir_file){path, info};
}

/* Takes the path. */
static void note_folder(struct run_dir_former *former, char *path)
{
    former->folders = mem_grow(former->folders, &former->folder_capacity, former->folder_count + 1,
                               sizeof *former->folders);
    former->folders[former->folder_count++] = path;
}

/* A link to a folder elsewhere is none of ours. */
static bool is_folder(const char *path)
{
    struct stat info;
    return lstat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* A summary of ours names its kind at once. */
static bool holds_run(const char *dir)
{
    char *path = mem_format("%s/summary.json", dir);
    FILE *file = fopen(path, "rb");
    free(path);
    char start[64] = "";
    if (file != NULL) {
        size_t n = fread(start, 1, sizeof start - 1, file);
        start[n] = '\0';
        fclose(file);
    }
    return strstr(start, "\"fauxfleet_summary\"") != NULL;
}

static void look_at_figures(struct run_dir_former *former, const char *dir)
{
    char *folder = mem_format("%s/figures", dir);
    if (!is_folder(folder)) {
        free(folder);
        return;
    }
    const char *name;
    for (size_t i = 0; (name = figure_name(i)) != NULL; i++)
        for (size_t s = 0; s < COUNT(figure_suffixes); s++)
            note_file(former, mem_format("%s/%s.%s", folder, name, figure_suffixes[s]));
    note_folder(former, folder);
}

/* The files of a former run in this very folder, if one was there. */
static void look_at_folder(struct run_dir_former *former, const char *dir)
{
    if (!holds_run(dir))
        return;
    for (size_t i = 0; i < COUNT(file_names); i++)
        note_file(former, mem_format("%s/%s", dir, file_names[i]));
    look_at_figures(former, dir);
}

/* "rep-12", and neither "rep-012" nor "rep-a". */
static bool is_replica(const char *name)
{
    if (strncmp(name, "rep-", 4) != 0 || name[4] == '\0' || name[4] == '0')
        return false;
    return strspn(name + 4, "0123456789") == strlen(name + 4);
}

void run_dir_look(struct run_dir_former *former, const char *dir)
{
    look_at_folder(former, dir);
    DIR *list = opendir(dir);
    for (struct dirent *entry = list ? readdir(list) : NULL; entry != NULL; entry = readdir(list)) {
        if (!is_replica(entry->d_name))
            continue;
        char *replica = mem_format("%s/%s", dir, entry->d_name);
        if (!is_folder(replica) || !holds_run(replica)) {
            free(replica);
            continue;
        }
        look_at_folder(former, replica);
        note_folder(former, replica);
    }
    if (list != NULL)
        closedir(list);
}

/* ---- what is left of it ---- */

/*
 * Outputs are written under another name and renamed, so one that was written anew is another file, made while the
 * former was still there. The time of the last change tells them apart where numbers of files mean nothing.
 */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
           a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool run_dir_tidy(const struct run_dir_former *former, struct err *err)
{
    for (size_t i = 0; i < former->file_count; i++) {
        const struct run_dir_file *file = &former->files[i];
        struct stat now;
        if (lstat(file->path, &now) != 0 || !is_same(&file->before, &now))
            continue;
        if (unlink(file->path) != 0 && errno != ENOENT)
            return err_set(err, EXIT_INPUT, "cannot remove '%s' of a former run: %s", file->path,
                           strerror(errno));
    }
    /* One that still holds something, of this run or of the user, stays. */
    for (size_t i = 0; i < former->folder_count; i++)
        (void)rmdir(former->folders[i]);
    return true;
}

void run_dir_forget(struct run_dir_former *former)
{
    for (size_t i = 0; i < former->file_count; i++)
        free(former->files[i].path);
    for (size_t i = 0; i < former->folder_count; i++)
        free(former->folders[i]);
    free(former->files);
    free(former->folders);
    *former = (struct run_dir_former){0};
}
