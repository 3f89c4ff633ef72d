/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Digests of files, kept by path; see scenario_files.h. */
#include "sim/world/scenario_files.h"

#include "sim/base/mem.h"
#include "traces/input.h"
#include "traces/trace.h"

#include <stdlib.h>
#include <string.h>

struct file_digest {
    char *path;
    char hex[DIGEST_HEX];
};

void scenario_files_init(struct scenario_files *files, const char *who)
{
    *files = (struct scenario_files){.who = who};
    pthread_mutex_init(&files->lock, NULL);
}

void scenario_files_fini(struct scenario_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->files[i].path);
    free(files->files);
    pthread_mutex_destroy(&files->lock);
}

static bool read_file(const char *path, char hex[DIGEST_HEX], struct err *err)
{
    hex[0] = '\0';
    struct input *input = input_open(path, err);
    if (input == NULL)
        return false;
    const char *bytes;
    size_t n;
    int got;
    do
        got = input_read(input, &bytes, &n, err);
    while (got > 0);
    input_digest(input, hex);
    input_close(input);
    return got == 0 || err_prefix(err, "%s", path);
}

bool scenario_files_add_one(struct scenario_files *files, struct digest *digest, const char *path,
                            struct err *err)
{
    if (strcmp(path, "-") == 0)
        return err_set(err, EXIT_INPUT, "%s cannot read jobs from standard input: give a file",
                       files->who);
    bool ok = true;
    pthread_mutex_lock(&files->lock);
    size_t i = 0;
    while (i < files->count && strcmp(files->files[i].path, path) != 0)
        i++;
    if (i == files->count) {
        files->files = mem_resize(files->files, i + 1, sizeof *files->files);
        files->files[i].path = mem_text(path);
        files->count++;
        ok = read_file(path, files->files[i].hex, err);
    }
    digest_add(digest, files->files[i].hex, strlen(files->files[i].hex));
    pthread_mutex_unlock(&files->lock);
    return ok;
}

static bool names_file(const struct trace_setting *setting)
{
    size_t count;
    const struct trace_setting_row *rows = trace_settings(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].key, setting->key) == 0)
            return rows[i].path;
    return false;
}

bool scenario_files_add(struct scenario_files *files, struct digest *digest,
                        const struct scenario *sc, struct err *err)
{
    for (size_t i = 0; i < sc->source_count; i++) {
        const struct scen_source *source = &sc->sources[i];
        if (source->trace != NULL && !scenario_files_add_one(files, digest, source->trace, err))
            return false;
        for (size_t s = 0; s < source->setting_count; s++)
            if (names_file(&source->settings[s]) &&
                !scenario_files_add_one(files, digest, source->settings[s].value, err))
                return false;
    }
    return true;
}
