/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A main() for the fuzz targets without a fuzzer: passes every file of a folder (or the files named
 * as arguments) to LLVMFuzzerTestOneInput(), in the order of their names. A program replay_NAME
 * takes tests/fuzz/corpus/NAME by default, so that the seeds are a regression test under every
 * compiler. Prints the totals in check's form at the end.
 */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

/* Allocates exactly the size of the file, so that reads beyond it are detected. */
static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        (void)printf("cannot read %s\n", path);
        if (file != NULL)
            (void)fclose(file);
        return 0;
    }
    long size = ftell(file);
    rewind(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    int good = size >= 0 && data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size;
    (void)fclose(file);
    (void)printf("%s\n", path);
    (void)fflush(stdout); /* the last name printed is the one that crashed */
    if (good)
        (void)LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
    return good;
}

static int replay_folder(const char *folder, int *failures)
{
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, by_name);
    int files = 0;
    for (int i = 0; i < count; i++) {
        char path[1024];
        int n = snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (entries[i]->d_name[0] != '.' && n > 0 && (size_t)n < sizeof path) {
            files++;
            *failures += !replay(path);
        }
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    if (files == 0) {
        (void)printf("no seeds in %s\n", folder);
        ++*failures;
        return 1;
    }
    return files;
}

int main(int argc, char **argv)
{
    int failures = 0;
    int files = 0;
    for (int i = 1; i < argc; i++, files++)
        failures += !replay(argv[i]);
    if (argc < 2) {
        const char *name = strrchr(argv[0], '/');
        name = name != NULL ? name + 1 : argv[0];
        const char *stem = strncmp(name, "replay_", 7) == 0 ? name + 7 : name;
        char folder[256];
        (void)snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", stem);
        files = replay_folder(folder, &failures);
    }
    (void)printf("%d%%: Checks: %d, Failures: %d, Errors: 0\n", 100 * (files - failures) / files,
                 files, failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
