/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decision service that is killed and restarted reaches the same end as one left alone: under
 * each preset and some options, at random moments, from the state with the journal, from the
 * journal alone, and from a state with its own log. All histories are independent of each other;
 * SERVE_HISTORIES is their number and SERVE_FIRST the first one.
 */
#include "sim/serve/service.h"

#include "tests/lib/draw.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/serve/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *policy, *options; /* of a policy file; NULL: none */
} presets[] = {
    {"fifo", NULL},
    {"sjf", NULL},
    {"srtf", NULL},
    {"las", NULL},
    {"qssf", NULL},
    {"easy", NULL},
    {"conservative", NULL},
    {"slurm", NULL},
    {"best-fit", NULL},
    {"random", NULL},
    {"fgd", NULL},
    {"fgd-exact", NULL},
    {"dot-product", NULL},
    {"gpu-packing", NULL},
    {"gpu-clustering", NULL},
    {"runai", NULL},
    {"static", NULL},
    {"kube-default", NULL},
    {"las", "\"demotion\": \"published\""},
    {"easy", "\"easy_variant\": \"frozen\""},
    {"runai", "\"backfill\": true"},
    {"runai",
     "\"usage_window\": \"sliding\", \"usage_window_s\": 604800, \"usage_half_life_s\": 43200"},
    {"runai", "\"idle_limit_s\": 1800"},
};

static uint32_t draw_below(void *self, uint32_t n)
{
    return (uint32_t)(test_draw(self) % n);
}

struct play {
    struct folder folder;
    char *policy, *journal, *state;
    struct session session;
};

/* `way` 0: journal and state; 1: the journal alone; 2: a state with its own log. */
static void play(struct play *p, uint64_t seed, size_t preset, int way, uint64_t *random,
                 uint32_t requests)
{
    char text[512];
    folder_make(&p->folder);
    (void)snprintf(text, sizeof text, "{\"name\": \"%s\", \"options\": {%s}}",
                   presets[preset].policy,
                   presets[preset].options != NULL ? presets[preset].options : "");
    folder_put(&p->folder, "policy.json", text);
    p->policy = strdup(folder_path(&p->folder, "policy.json"));
    p->journal = strdup(folder_path(&p->folder, "j"));
    p->state = strdup(folder_path(&p->folder, "s"));
    p->session = (struct session){
        .options = {.policy = p->policy,
                    .seed = seed,
                    .journal = way != 2 ? p->journal : NULL,
                    .state = way != 1 ? p->state : NULL,
                    .sync_ms = FACT_LOG_NEVER,
                    .max_jump_ms = SERVICE_MAX_JUMP_MS,
                    .keep = 100},
        .chance = {.below = random != NULL ? draw_below : NULL, .self = random, .one_in = 40},
        .seed = seed,
        .policy = presets[preset].policy,
        .requests = requests};
    ck_assert_msg(session_play(&p->session), "%s", p->session.wrong);
}

static void end_play(struct play *p)
{
    session_end(&p->session);
    folder_remove(&p->folder);
    free(p->policy);
    free(p->journal);
    free(p->state);
}

static void compare(struct play *alone, struct play *killed, int way)
{
    const struct session *a = &alone->session, *b = &killed->session;
    ck_assert_msg(a->client.heard_length == b->client.heard_length &&
                      (a->client.heard_length == 0 ||
                       memcmp(a->client.heard, b->client.heard, a->client.heard_length) == 0),
                  "seed %llu, %s: other decisions", (unsigned long long)a->seed, a->policy);
    if (way == 2)
        return;
    char *x = folder_read(&alone->folder, "j"), *y = folder_read(&killed->folder, "j");
    ck_assert_msg(strcmp(x, y) == 0, "seed %llu, %s: another journal", (unsigned long long)a->seed,
                  a->policy);
    free(x);
    free(y);
}

static void one_history(uint64_t seed)
{
    static struct play alone, killed;
    size_t preset = (size_t)(seed % (sizeof presets / sizeof *presets));
    int way = (int)(seed / (sizeof presets / sizeof *presets) % 3);
    uint64_t random = seed ^ 0xfeed;
    play(&alone, seed, preset, way, NULL, 400);
    play(&killed, seed, preset, way, &random, 400);
    compare(&alone, &killed, way);
    if (getenv("SERVE_HISTORIES") != NULL)
        printf("# %llu %s way %d: %llu starts, %llu evictions, %llu refused, %llu kills, %llu "
               "closes, %llu repeated, %llu replayed, %llu passed over\n",
               (unsigned long long)seed, presets[preset].policy, way,
               (unsigned long long)killed.session.client.starts,
               (unsigned long long)killed.session.client.evictions,
               (unsigned long long)killed.session.client.refused,
               (unsigned long long)killed.session.kills, (unsigned long long)killed.session.closes,
               (unsigned long long)killed.session.client.repeated,
               (unsigned long long)killed.session.replayed,
               (unsigned long long)killed.session.passed_over);
    end_play(&alone);
    end_play(&killed);
}

START_TEST(killed_or_not_the_end_is_the_same)
{
    one_history((uint64_t)_i);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cli/service");
    TCase *tcase = tcase_create("kills");
    const char *count = getenv("SERVE_HISTORIES"), *begin = getenv("SERVE_FIRST");
    int first = begin != NULL ? (int)strtol(begin, NULL, 10) : 0;
    int behind =
        count != NULL ? first + (int)strtol(count, NULL, 10) : harness_repeats(3 * ROWS(presets));
    tcase_add_loop_test(tcase, killed_or_not_the_end_is_the_same, first, behind);
    tcase_set_timeout(tcase, 120);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
