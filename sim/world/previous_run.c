/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Running a run again; see previous_run.h. */
#include "sim/world/previous_run.h"

#include "sim/base/file.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/world/present.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what the directory says ---- */

#define MOST_BYTES ((size_t)256 << 20)

/* NULL where there is no such file; false when it cannot be read. */
static bool read_text(const char *dir, const char *name, char **text, struct err *err)
{
    char *path = mem_format("%s/%s", dir, name);
    enum file_found found = file_read(path, MOST_BYTES, text, NULL, err);
    free(path);
    return found != FILE_FAILED;
}

/* The same as JSON; NULL also if it is not JSON. */
static bool read_json(const char *dir, const char *name, cJSON **json, struct err *err)
{
    char *text;
    *json = NULL;
    if (!read_text(dir, name, &text, err))
        return false;
    *json = text != NULL ? cJSON_Parse(text) : NULL;
    free(text);
    return true;
}

/* The text under the key, or NULL. */
static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

/*
 * The number after "seed", exact where a double would not be. It is the first member of that name
 * in a summary, and no text contains the same bytes, since a quotation mark in a text has a
 * backslash before it.
 */
static bool seed_of(const char *summary, uint64_t *seed)
{
    static const char name[] = "\"seed\":";
    const char *c = strstr(summary, name);
    if (c == NULL)
        return false;
    c += sizeof name - 1;
    c += strspn(c, " ");
    if (*c < '0' || *c > '9')
        return false;
    for (*seed = 0; *c >= '0' && *c <= '9'; c++)
        *seed = *seed * 10 + (uint64_t)(*c - '0');
    return true;
}

/*
 * Replica K of a scenario with seed S ran with seed S + K - 1, as its summary records. The summary
 * of all replicas is explained by the first replica, and so is a directory without a summary.
 */
static bool find_replica(struct previous_run *f, struct err *err)
{
    f->replica = 1;
    char *text;
    uint64_t seed;
    if (!read_text(f->dir, "summary.json", &text, err))
        return false;
    bool one = text != NULL && strstr(text, "\n \"replicas\": [") == NULL && seed_of(text, &seed);
    free(text);
    if (!one)
        return true;
    uint64_t behind = seed - f->scenario->seed;
    if (behind >= (uint64_t)f->scenario->replicas)
        return err_set(
            err, EXIT_INPUT,
            "summary.json and scenario.json of '%s' are not of one run (their seeds differ)",
            f->dir);
    f->replica = 1 + (int)behind;
    return true;
}

/* With the changes of the command line on top; `start` (or NULL) is the snapshot that it begins
 * with. */
static bool load(const char *dir, const struct scen_overrides *changes, const char *start,
                 struct scenario **scenario, struct err *err)
{
    cJSON *timing;
    if (!read_json(dir, "timing.json", &timing, err))
        return false;
    char *path = mem_format("%s/scenario.json", dir);
    const char *library = text_of(timing, "policy");
    char *policy = library != NULL ? mem_format("policy.name=%s", library) : NULL;
    char *snapshot = start != NULL ? mem_format("start.snapshot=%s", start) : NULL;
    const char **sets = mem_alloc(changes->set_count + 2, sizeof *sets);
    struct scen_overrides all = *changes;
    all.set = sets;
    all.set_count = 0;
    if (policy != NULL)
        sets[all.set_count++] = policy;
    if (snapshot != NULL)
        sets[all.set_count++] = snapshot;
    for (size_t i = 0; i < changes->set_count; i++)
        sets[all.set_count++] = changes->set[i];
    all.base_dir = text_of(timing, "base_dir");
    if (all.trace == NULL)
        all.trace = text_of(timing, "trace");
    bool ok = scenario_load(scenario, path, &all, err);
    free(sets);
    free(snapshot);
    free(policy);
    free(path);
    cJSON_Delete(timing);
    return ok;
}

bool previous_run_open(struct previous_run *f, const char *dir, const char *trace, struct err *err)
{
    const struct scen_overrides as_it_was = {.trace = trace};
    *f = (struct previous_run){.dir = dir};
    return load(dir, &as_it_was, NULL, &f->scenario, err) && find_replica(f, err);
}

void previous_run_close(struct previous_run *f)
{
    scenario_destroy(f->scenario);
    f->scenario = NULL;
}

/* ---- going on from a state ---- */

/* In a folder of its own, so that the name is free; scenarios read their files when they are
 * loaded. */
bool previous_run_go_on(const struct previous_run *f, const struct scen_overrides *changes,
                        const struct simulation *s, struct scenario **scenario, struct err *err)
{
    const char *tmp = getenv("TMPDIR");
    char *dir = mem_format("%s/fauxfleet-XXXXXX", tmp != NULL && *tmp != '\0' ? tmp : "/tmp");
    if (mkdtemp(dir) == NULL) {
        err_set(err, EXIT_INPUT, "cannot make a folder '%s': %s", dir, strerror(errno));
        free(dir);
        return false;
    }
    char *path = mem_format("%s/snapshot.json", dir);
    struct out *out = out_open(path, err);
    bool ok = out != NULL && present_print(s, out, err);
    if (ok) {
        ok = out_close(out, err) && load(f->dir, changes, path, scenario, err);
        bool gone = unlink(path) == 0 || errno == ENOENT;
        if (!gone && ok)
            ok = err_set(err, EXIT_INPUT, "cannot remove '%s': %s", path, strerror(errno));
    } else {
        out_discard(out);
    }
    if (rmdir(dir) != 0 && ok)
        ok = err_set(err, EXIT_INPUT, "cannot remove '%s': %s", dir, strerror(errno));
    free(path);
    free(dir);
    return ok;
}

/* ---- running it ---- */

bool previous_run_run(struct previous_run *f, const struct sim_observer *observers,
                      size_t observer_count, int64_t until_ms, struct simulation *s,
                      struct err *err)
{
    struct simulation_options options = {.replica = f->replica,
                                         .sort = f->sort,
                                         .observers = observers,
                                         .observer_count = observer_count};
    if (simulation_open(s, f->scenario, &options, err) && simulation_run(s, until_ms, err))
        return true;
    f->again = simulation_again(s, &options, err);
    f->sort = options.sort;
    simulation_close(s);
    return false;
}

bool previous_run_check_trace(const struct previous_run *f, const struct simulation *s,
                              struct err *err)
{
    char digest[DIGEST_HEX];
    trace_digest(s->trace, digest);
    cJSON *summary;
    if (!read_json(f->dir, "summary.json", &summary, err))
        return false;
    const char *kept = text_of(summary, "trace_digest");
    bool same =
        kept == NULL || strlen(kept) < 7 || strcmp(kept + 7, digest) == 0; /* after "sha256:" */
    cJSON_Delete(summary);
    return same ||
           err_set(err, EXIT_INPUT,
                   "the trace is not the one that '%s' was made from (its digest differs)", f->dir);
}

bool previous_run_decided(const struct previous_run *f, const char *journal_hex, bool *same,
                          struct err *err)
{
    cJSON *summary;
    if (!read_json(f->dir, "summary.json", &summary, err))
        return false;
    const char *kept =
        text_of(cJSON_GetObjectItemCaseSensitive(summary, "engine"), "journal_sha256");
    *same = kept == NULL || strcmp(kept, journal_hex) == 0;
    cJSON_Delete(summary);
    return true;
}
