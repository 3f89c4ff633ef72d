/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The journal is complete: replaying it line by line to a new policy core gives the recorded
 * decisions, to the last device; and no line was lost.
 */
#include "policies/adapters/slurm/facts.h"
#include "policies/facts/map.h"
#include "policies/facts/read.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct replay {
    const struct policy_config *core;
    struct policy *policy;
    struct fact_map map;
    struct chain chain;
    struct fact_decision decisions[256]; /* of the last "decide" */
    size_t count, next, compared;
};

static void decide(struct replay *r, const struct fact *fact)
{
    ck_assert_uint_eq(r->next, r->count);
    const struct policy_decision *d = policy_decide(r->policy, fact->at, &r->count);
    ck_assert_uint_le(r->count, ROWS(r->decisions));
    for (r->next = 0; r->next < r->count; r->next++)
        r->decisions[r->next] = fact_map_decision(&r->map, fact->at, &d[r->next]);
    ck_assert_uint_eq(r->count, fact->count);
    r->next = 0;
}

static void compare(struct replay *r, const struct fact_decision *line)
{
    ck_assert_uint_lt(r->next, r->count);
    const struct fact_decision *d = &r->decisions[r->next++];
    ck_assert_int_eq(d->d.kind, line->d.kind);
    ck_assert_uint_eq(d->d.job.i, line->d.job.i);
    ck_assert_uint_eq(d->d.job.gen, line->d.job.gen);
    ck_assert_str_eq(d->name, line->name);
    ck_assert_uint_eq(d->d.task, line->d.task);
    ck_assert_uint_eq(d->d.node.i, line->d.node.i);
    ck_assert_uint_eq(d->d.devices, line->d.devices);
    ck_assert_int_eq(d->d.action, line->d.action);
    ck_assert_int_eq(d->d.reason, line->d.reason);
    r->compared++;
}

static void begin(struct replay *r, const struct fact_policy *section)
{
    struct policy_error error;
    ck_assert_str_eq(section->after != NULL ? section->after : "", r->chain.last);
    ck_assert_int_eq(section->version, FACTS_VERSION);
    chain_begin(&r->chain);
    fact_map_fini(&r->map);
    policy_destroy(r->policy);
    r->policy = policy_create(r->core, &error);
    ck_assert_ptr_nonnull(r->policy);
}

static void replay_line(struct replay *r, const struct fact_line *line)
{
    if (line->kind == LINE_DECISION)
        compare(r, &line->decision);
    else if (line->fact.kind == FACT_DECIDE)
        decide(r, &line->fact);
    else if (line->fact.kind != FACT_POLICY)
        ck_assert_msg(fact_map_tell(&r->map, r->policy, &line->fact) == POLICY_OK, "%s",
                      r->map.error);
}

static void replay_text(struct replay *r, const char *text)
{
    struct fact_line line = {.kind = LINE_FACT};
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n") + 1) {
        size_t n = strcspn(at, "\n");
        ck_assert_msg(fact_line_read(&line, at, n), "%s", line.error);
        if (line.kind == LINE_FACT && line.fact.kind == FACT_POLICY)
            begin(r, line.fact.spec);
        ck_assert_int_eq(chain_check(&r->chain, at, n), CHAIN_HOLDS);
        replay_line(r, &line);
    }
    fact_line_fini(&line);
}

static const char *const policies[] = {"runai", "slurm", "fifo", "srtf", "las", "conservative"};

START_TEST(a_journal_replays_to_its_decisions)
{
    struct folder folder;
    folder_make(&folder);
    struct fake_bed *bed =
        fake_open(policies[_i % ROWS(policies)],
                  (struct fake_files){.journal = folder_path(&folder, "j")}, 1 + _i);
    bed->slurm->wild = _i >= ROWS(policies);
    for (int steps = 0; steps < 300; steps++) {
        bed->slurm->trouble = steps > 10 && steps < 200;
        fake_step(bed->slurm);
        fake_look(bed);
        if (steps == 100)
            fake_restart(bed);
    }
    struct replay replay = {.core = &bed->core};
    char *text = folder_read(&folder, "j");
    replay_text(&replay, text);
    ck_assert_uint_eq(replay.next, replay.count);
    ck_assert_uint_gt(replay.compared, 50);
    policy_destroy(replay.policy);
    fact_map_fini(&replay.map);
    free(text);
    fake_close(bed);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_journal_that_cannot_be_written_is_noticed)
{
    struct facts facts;
    char preset[] = "fifo", error[64] = "";
    const struct config config = {.policy = preset};
    ck_assert(!facts_open(&facts, "/nowhere/at/all", error, sizeof error));
    ck_assert_str_eq(error, strerror(ENOENT));
    ck_assert(facts_open(&facts, "/dev/full", error, sizeof error));
    ck_assert_int_eq(facts.log.error, 0);
    facts_begin(&facts, NULL, 0, &config);
    ck_assert_int_eq(facts.log.error, ENOSPC);
    facts_close(&facts);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/facts");
    TCase *tcase = tcase_create("journal");
    tcase_add_loop_test(tcase, a_journal_replays_to_its_decisions, 0,
                        harness_repeats(2 * ROWS(policies)));
    tcase_add_test(tcase, a_journal_that_cannot_be_written_is_noticed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
