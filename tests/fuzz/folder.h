/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For targets whose readers open files: a folder in memory, created by the first call and removed
 * at the end of the process. An input with several files has a zero byte between them; a missing
 * part is a missing file.
 */
#ifndef TESTS_FUZZ_FOLDER_H
#define TESTS_FUZZ_FOLDER_H

#include "sim/base/err.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_PATH 512

/* The folder's path; "" until it is created. */
static inline char *fuzz_folder_path(void)
{
    static char path[FUZZ_PATH / 2];
    return path;
}

/* Removes files, and folders that contain only files. */
static inline void fuzz_folder_empty(const char *path)
{
    DIR *dir = opendir(path);
    const struct dirent *entry;
    while (dir != NULL && (entry = readdir(dir)) != NULL) {
        char name[FUZZ_PATH];
        int n = snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        BUG_ON(n < 0 || (size_t)n >= sizeof name);
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            unlink(name) != 0) {
            fuzz_folder_empty(name);
            (void)rmdir(name);
        }
    }
    if (dir != NULL)
        (void)closedir(dir);
}

static inline void fuzz_folder_remove(void)
{
    fuzz_folder_empty(fuzz_folder_path());
    (void)rmdir(fuzz_folder_path());
}

static inline const char *fuzz_folder(void)
{
    char *path = fuzz_folder_path();
    if (*path == '\0') {
        (void)snprintf(path, FUZZ_PATH / 2, "/dev/shm/fauxfleet-fuzz-XXXXXX");
        if (mkdtemp(path) == NULL) {
            (void)snprintf(path, FUZZ_PATH / 2, "/tmp/fauxfleet-fuzz-XXXXXX");
            BUG_ON(mkdtemp(path) == NULL);
        }
        BUG_ON(atexit(fuzz_folder_remove) != 0);
    }
    return path;
}

/* The path of a file in the folder, in a buffer of FUZZ_PATH bytes. */
static inline const char *fuzz_path(char *path, const char *name)
{
    (void)snprintf(path, FUZZ_PATH, "%s/%s", fuzz_folder(), name);
    return path;
}

static inline void fuzz_put(const char *name, const void *bytes, size_t n)
{
    char path[FUZZ_PATH];
    FILE *file = fopen(fuzz_path(path, name), "wb");
    BUG_ON(file == NULL || fwrite(bytes, 1, n, file) != n || fclose(file) != 0);
}

/* Writes the next part of the input to the file; if none is left, there is no such file. */
static inline void fuzz_put_part(const char *name, const uint8_t **data, size_t *size)
{
    char path[FUZZ_PATH];
    const uint8_t *end = *size > 0 ? memchr(*data, 0, *size) : NULL;
    size_t n = end != NULL ? (size_t)(end - *data) : *size;
    if (*size == 0) {
        (void)unlink(fuzz_path(path, name));
        return;
    }
    fuzz_put(name, *data, n);
    *data += n + (end != NULL);
    *size -= n + (end != NULL);
}

#endif
