/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Temporary folders of tests; see folder.h. */
#include "tests/lib/folder.h"

#include "tests/lib/harness.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void folder_make(struct folder *folder)
{
    const char *parent = getenv("TMPDIR");
    int n = snprintf(folder->path, sizeof folder->path, "%s/fauxfleet-folder-XXXXXX",
                     parent && *parent ? parent : "/tmp");
    ck_assert_msg(n > 0 && (size_t)n < sizeof folder->path, "temporary name does not fit");
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
}

const char *folder_path(struct folder *folder, const char *name)
{
    int n = snprintf(folder->buffer, sizeof folder->buffer, "%s/%s", folder->path, name);
    ck_assert_msg(n > 0 && (size_t)n < sizeof folder->buffer, "path of %s does not fit", name);
    return folder->buffer;
}

void folder_put_bytes(struct folder *folder, const char *name, const void *bytes, size_t n)
{
    FILE *file = fopen(folder_path(folder, name), "wb");
    ck_assert_msg(file != NULL, "cannot write %s", folder->buffer);
    ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
    ck_assert_int_eq(fclose(file), 0);
}

void folder_put(struct folder *folder, const char *name, const char *text)
{
    folder_put_bytes(folder, name, text, strlen(text));
}

void folder_sub(struct folder *folder, const char *name)
{
    ck_assert_int_eq(mkdir(folder_path(folder, name), 0777), 0);
}

bool folder_has(struct folder *folder, const char *name)
{
    return harness_exists(folder_path(folder, name));
}

size_t folder_count(const struct folder *folder, const char *suffix)
{
    size_t count = 0, length = strlen(suffix);
    DIR *list = opendir(folder->path);
    ck_assert_ptr_nonnull(list);
    for (struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        const char *name = entry->d_name;
        size_t n = strlen(name);
        count += strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && n >= length &&
                 strcmp(name + n - length, suffix) == 0;
    }
    (void)closedir(list);
    return count;
}

char *folder_read(struct folder *folder, const char *name)
{
    return harness_read(folder_path(folder, name), NULL);
}

void folder_copy(struct folder *folder, const char *fixture)
{
    DIR *list = opendir(fixture);
    ck_assert_msg(list != NULL, "no fixture %s", fixture);
    for (struct dirent *entry = readdir(list); entry; entry = readdir(list)) {
        char path[FOLDER_PATH];
        struct stat status;
        (void)snprintf(path, sizeof path, "%s/%s", fixture, entry->d_name);
        if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        size_t n;
        char *text = harness_read(path, &n);
        folder_put_bytes(folder, entry->d_name, text, n);
        free(text);
    }
    (void)closedir(list);
}

/* `depth` limits the descent, so that a stray link cannot lead anywhere. */
static void remove_below(const char *path, int depth)
{
    DIR *list = depth > 0 ? opendir(path) : NULL;
    for (struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
        char below[2 * FOLDER_PATH];
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        (void)snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (unlink(below) != 0)
            remove_below(below, depth - 1);
    }
    if (list)
        (void)closedir(list);
    (void)rmdir(path);
}

void folder_remove(struct folder *folder)
{
    remove_below(folder->path, 3);
}
