/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as lines of facts: each is refused with a message or can be written and read back
 * unchanged, and a core that gets all of them stays sound, whatever they say.
 */
#include "policies/facts/map.h"
#include "policies/facts/read.h"
#include "policies/facts/write.h"
#include "sim/base/err.h"
#include "tests/fuzz/resize.h"
#include "tests/fuzz/sound.h"

#include <stdlib.h>
#include <string.h>

#define MOST_JOBS 256

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_line(struct text *text, const struct fact_line *line)
{
    if (line->kind == LINE_FACT)
        fact_write(text, &line->fact);
    else
        fact_write_decision(text, &line->decision);
    text_put(text, "}");
    BUG_ON(text->failed);
}

static void there_and_back(const struct fact_line *line)
{
    struct text first = {.length = 0}, second = {.length = 0};
    struct fact_line again = {.kind = LINE_FACT};
    write_line(&first, line);
    BUG_ON(!fact_line_read(&again, first.bytes, first.length) || again.kind != line->kind);
    write_line(&second, &again);
    BUG_ON(first.length != second.length || memcmp(first.bytes, second.bytes, first.length) != 0);
    fact_line_fini(&again);
    text_fini(&first);
    text_fini(&second);
}

/* Ranks of jobs must be unique, which is the embedder's responsibility, so a job with a repeated
 * rank is skipped. */
struct ranks {
    uint64_t of[MOST_JOBS];
    uint32_t count;
};

static bool is_taken(struct ranks *ranks, const struct fact *fact)
{
    const struct policy_job_spec *spec = fact->spec;
    if (fact->kind != FACT_JOB_ADD)
        return false;
    for (uint32_t i = 0; i < ranks->count; i++)
        if (ranks->of[i] == spec->rank)
            return true;
    if (ranks->count == MOST_JOBS)
        return true;
    ranks->of[ranks->count++] = spec->rank;
    return false;
}

static void tell(struct fact_map *map, struct policy *policy, struct ranks *ranks,
                 const struct fact *fact)
{
    size_t count;
    if (is_taken(ranks, fact))
        return;
    if (fact->kind == FACT_DECIDE) {
        const struct policy_decision *d = policy_decide(policy, fact->at, &count);
        for (size_t i = 0; i < count; i++)
            BUG_ON(fact_map_decision(map, fact->at, &d[i]).d.job.i == POLICY_NO_ID);
    } else if (fact_map_tell(map, policy, fact) != POLICY_OK && fact->kind != FACT_POLICY) {
        BUG_ON(map->error[0] == '\0');
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *at = (const char *)data;
    struct fact_line line = {.kind = LINE_FACT};
    struct fact_map map = {.error = ""};
    struct ranks ranks = {.count = 0};
    struct policy_config config;
    struct policy_error error;
    const char first =
        size > 0 ? (char)data[0] : '\0'; /* chosen by a blank before the first line */
    const char *preset = first == ' '    ? "fifo"
                         : first == '\t' ? "las"
                         : first == '\r' ? "slurm"
                                         : "runai";
    BUG_ON(policy_config_init(&config, preset, (struct policy_allocator){fuzz_resize, NULL},
                              &error) != POLICY_OK);
    struct policy *policy = policy_create(&config, &error);
    BUG_ON(policy == NULL);
    while (size > 0) {
        const char *end = memchr(at, '\n', size);
        size_t n = end != NULL ? (size_t)(end - at) : size;
        if (fact_line_read(&line, at, n)) {
            if (line.kind != LINE_REQUEST)
                there_and_back(&line);
            if (line.kind == LINE_FACT)
                tell(&map, policy, &ranks, &line.fact);
        } else {
            BUG_ON(line.error[0] == '\0');
        }
        size -= n + (end != NULL);
        at = end != NULL ? end + 1 : at + n;
    }
    fuzz_is_sound(policy);
    fact_line_fini(&line);
    fact_map_fini(&map);
    policy_destroy(policy);
    return 0;
}
