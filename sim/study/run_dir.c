/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making and tidying the directory of a run; see run_dir.h. */
#include "sim/study/run_dir.h"

#include "policies/adapters/ending/temporary.h"
#include "report/figures/figures.h"
#include "sim/base/file.h"
#include "sim/base/mem.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All files of a run directory except figures, whose names come from their table. */
static const char *const file_names[] = {
    "jobs.csv",     "journal.jsonl",   "snapshot.json", "timeline.csv", "reasons.csv",
    "heatmap.csv",  "fabric.csv",      "faults.csv",    "services.csv", "queues.csv",
    "users.csv",    "scenario.json",   "summary.json",  "timing.json",  "report.html",
    "rejected.csv", "queue_pools.csv",
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

static bool cannot_see(const char *path, struct err *err)
{
    return err_set(err, EXIT_INPUT, "%s: cannot see the files of a previous run: %s", path,
                   strerror(errno));
}

/* The first false ends the scan of a directory. */
static bool note_file(struct run_dir_previous *former, const char *dir, const char *name,
                      struct err *err)
{
    struct stat info;
    char *path = mem_format("%s/%s", dir, name);
    bool there = lstat(path, &info) == 0, ok = there || errno == ENOENT || cannot_see(path, err);
    if (!there || !S_ISREG(info.st_mode)) {
        free(path);
        return ok;
    }
    former->files = mem_grow(former->files, &former->file_capacity, former->file_count + 1,
                             sizeof *former->files);
    former->files[former->file_count++] = (struct run_dir_file){path, info};
    return true;
}

/* Takes the path. */
static void note_folder(struct run_dir_previous *former, char *path)
{
    former->folders = mem_grow(former->folders, &former->folder_capacity, former->folder_count + 1,
                               sizeof *former->folders);
    former->folders[former->folder_count++] = path;
}

/* A link to a folder elsewhere is not ours. */
static bool find_folder(const char *path, bool *is, struct err *err)
{
    struct stat info;
    bool there = lstat(path, &info) == 0;
    *is = there && S_ISDIR(info.st_mode);
    return there || errno == ENOENT || cannot_see(path, err);
}

/* A summary of ours names its kind at once. */
static bool find_run(const char *dir, bool *is, struct err *err)
{
    char *path = mem_format("%s/summary.json", dir), start[64];
    enum file_found found = file_head(path, start, sizeof start, err);
    free(path);
    *is = strstr(start, "\"fauxfleet_summary\"") != NULL;
    return found != FILE_FAILED;
}

static bool look_at_figures(struct run_dir_previous *former, const char *dir, struct err *err)
{
    char *folder = mem_format("%s/figures", dir);
    bool is, ok = find_folder(folder, &is, err);
    const char *name;
    for (size_t i = 0; ok && is && (name = figure_name(i)) != NULL; i++)
        for (size_t s = 0; ok && s < COUNT(figure_suffixes); s++) {
            char *file = mem_format("%s.%s", name, figure_suffixes[s]);
            ok = note_file(former, folder, file, err);
            free(file);
        }
    if (ok && is)
        note_folder(former, folder);
    else
        free(folder);
    return ok;
}

/* The files of a previous run in this folder, if there was one. */
static bool look_at_folder(struct run_dir_previous *former, const char *dir, struct err *err)
{
    bool is, ok = find_run(dir, &is, err);
    for (size_t i = 0; ok && is && i < COUNT(file_names); i++)
        ok = note_file(former, dir, file_names[i], err);
    return ok && (!is || look_at_figures(former, dir, err));
}

/* "rep-12", and neither "rep-012" nor "rep-a". */
static bool is_replica(const char *name)
{
    if (strncmp(name, "rep-", 4) != 0 || name[4] == '\0' || name[4] == '0')
        return false;
    return strspn(name + 4, "0123456789") == strlen(name + 4);
}

static bool look_at_replica(struct run_dir_previous *former, const char *dir, const char *name,
                            struct err *err)
{
    char *replica = mem_format("%s/%s", dir, name);
    bool is, ok = find_folder(replica, &is, err);
    if (ok && is)
        ok = find_run(replica, &is, err) && (!is || look_at_folder(former, replica, err));
    if (ok && is)
        note_folder(former, replica);
    else
        free(replica);
    return ok;
}

/* readdir() tells the end from an error by errno alone. */
static bool look_at_replicas(struct run_dir_previous *former, const char *dir, struct err *err)
{
    DIR *list = opendir(dir);
    if (list == NULL)
        return errno == ENOENT || cannot_see(dir, err);
    bool ok = true;
    for (struct dirent *entry; ok && (errno = 0, entry = readdir(list)) != NULL;)
        ok = !is_replica(entry->d_name) || look_at_replica(former, dir, entry->d_name, err);
    ok = ok && (errno == 0 || cannot_see(dir, err));
    (void)closedir(list);
    return ok;
}

bool run_dir_look(struct run_dir_previous *former, const char *dir, struct err *err)
{
    if (look_at_folder(former, dir, err) && look_at_replicas(former, dir, err))
        return true;
    run_dir_forget(former);
    return false;
}

/* ---- what is left of it ---- */

/*
 * Outputs are written under another name and renamed, so a newly written one is another file,
 * created while the previous one still existed. Where inode numbers mean nothing, the modification
 * time tells them apart.
 */
static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
           a->st_ctim.tv_sec == b->st_ctim.tv_sec && a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

bool run_dir_tidy(const struct run_dir_previous *former, struct err *err)
{
    for (size_t i = 0; i < former->file_count; i++) {
        const struct run_dir_file *file = &former->files[i];
        struct stat now;
        bool there = lstat(file->path, &now) == 0;
        if (there ? !is_same(&file->before, &now) : errno == ENOENT)
            continue;
        if (!there || (unlink(file->path) != 0 && errno != ENOENT))
            return err_set(err, EXIT_INPUT, "cannot remove '%s' of a previous run: %s", file->path,
                           strerror(errno));
    }
    /* A folder that still contains files, of this run or of the user, stays. */
    for (size_t i = 0; i < former->folder_count; i++)
        (void)rmdir(former->folders[i]);
    return true;
}

void run_dir_forget(struct run_dir_previous *former)
{
    for (size_t i = 0; i < former->file_count; i++)
        free(former->files[i].path);
    for (size_t i = 0; i < former->folder_count; i++)
        free(former->folders[i]);
    free(former->files);
    free(former->folders);
    *former = (struct run_dir_previous){0};
}
