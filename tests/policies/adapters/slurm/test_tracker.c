/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracker against a simulated Slurm, with each policy and random failures. At every step the
 * core must be consistent and may refuse no fact; jobs start where ordered; limits hold; the
 * adapter is stopped and restarted; and when the failures are over every job ends.
 */
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

#include <string.h>

#define TROUBLE    400 /* steps */
#define MOST_STEPS 20000
#define SEEDS      6

static const struct {
    const char *policy;
    bool limits, ends; /* enforces queue limits; ends sessions */
} policies[] = {
    {"runai backfill=true", true, false},
    {"runai interactive_limit_s=6", true, true},
    {"runai", true, false},
    {"static", true, false},
    {"kube-default", true, false},
    {"slurm", true, false},
    {"fifo", false, false},
    {"easy", false, false},
    {"conservative", false, false},
    {"srtf", false, false},
    {"las", false, false},
    {"best-fit", false, false},
};

START_TEST(no_job_is_lost)
{
    int seed = _i / ROWS(policies), steps = 0;
    struct fake_bed *bed =
        fake_open(policies[_i % ROWS(policies)].policy, (struct fake_files){.journal = NULL}, seed);
    struct fake *f = bed->slurm;
    f->wild = seed % 3 == 2;
    for (; !fake_all_over(f) && steps < MOST_STEPS; steps++) {
        f->trouble = steps < TROUBLE && seed > 0;
        fake_step(f);
        fake_look(bed);
        if (policies[_i % ROWS(policies)].limits && !f->wild)
            fake_check_limit(f);
        if (fake_one_in(f, 40))
            fake_restart(bed);
    }
    ck_assert_int_lt(steps, MOST_STEPS);
    size_t waiting, running;
    fake_look(bed);
    tracker_counts(bed->tracker, &waiting, &running);
    ck_assert_uint_eq(waiting + running, 0);
    ck_assert_int_eq(f->cancels > 0, policies[_i % ROWS(policies)].ends);
    fake_close(bed);
}
END_TEST

/* ---- a configuration that changes ---- */

#define FILE_WITH(queues)                                                                          \
    "{\"fauxfleet_slurm\": 1, \"queues\": [" queues "], "                                          \
    "\"jobs\": [{\"partition\": \"build\", \"class\": \"build\"}]}"
#define TRAIN "{\"name\": \"train\", \"gpu\": {\"quota\": 52}}"

static void reload(struct fake_bed *bed, const char *text)
{
    struct config fresh;
    ck_assert_msg(config_parse(&fresh, "f", text, strlen(text), bed->error), "%s", bed->error);
    ck_assert_msg(config_replace(&bed->config, &fresh, bed->error), "%s", bed->error);
    config_fini(&fresh);
}

static uint32_t starts_of_build(const struct fake *f)
{
    uint32_t starts = 0;
    for (uint32_t i = 0; i < f->job_count; i++)
        starts += f->jobs[i].build ? f->jobs[i].starts : 0;
    return starts;
}

static void steps(struct fake_bed *bed, int count)
{
    for (int i = 0; i < count; i++) {
        fake_step(bed->slurm);
        fake_look(bed);
    }
}

static void until_all_is_over(struct fake_bed *bed)
{
    for (int i = 0; i < MOST_STEPS && !fake_all_over(bed->slurm); i++)
        steps(bed, 1);
    ck_assert(fake_all_over(bed->slurm));
}

/* Jobs of "build" cannot be preempted, so without a quota none of them starts. */
START_TEST(a_suspended_queue_starts_nothing_until_it_is_resumed)
{
    struct fake_bed *bed = fake_open("runai", (struct fake_files){.journal = NULL}, _i);
    reload(bed, FILE_WITH(TRAIN ", {\"name\": \"build\", \"gpu\": {\"quota\": 12}, "
                                "\"suspended\": true}"));
    steps(bed, 1000); /* all jobs arrive, those of "train" end */
    ck_assert_uint_eq(bed->slurm->job_count, FAKE_JOBS);
    ck_assert_uint_eq(starts_of_build(bed->slurm), 0);
    reload(bed, FILE_WITH(TRAIN)); /* no longer listed: a queue without a quota */
    steps(bed, 100);
    ck_assert_uint_eq(starts_of_build(bed->slurm), 0);
    reload(bed, FILE_WITH(TRAIN ", {\"name\": \"build\", \"gpu\": {\"quota\": 12}}"));
    until_all_is_over(bed);
    ck_assert_uint_gt(starts_of_build(bed->slurm), 0);
    fake_close(bed);
}
END_TEST

static int32_t gpus_of_build(const struct fake *f)
{
    int32_t gpus = 0;
    for (uint32_t i = 0; i < f->job_count; i++)
        for (uint32_t k = 0; k < f->jobs[i].at_count && f->jobs[i].build; k++)
            gpus += f->jobs[i].at[k].gpus;
    return gpus;
}

START_TEST(a_lower_quota_and_limit_hold)
{
    struct fake_bed *bed = fake_open("runai", (struct fake_files){.journal = NULL}, _i);
    reload(bed, FILE_WITH(TRAIN ", {\"name\": \"build\", \"gpu\": {\"quota\": 4, \"limit\": 4}}"));
    while (!fake_all_over(bed->slurm) && bed->slurm->now < 10000000) {
        steps(bed, 1);
        ck_assert_int_le(gpus_of_build(bed->slurm), 4);
    }
    ck_assert(fake_all_over(bed->slurm)); /* each job of "build" has at most 4 GPUs */
    fake_close(bed);
}
END_TEST

START_TEST(a_parent_that_would_change_is_refused_by_the_core)
{
    struct fake_bed *bed = fake_open("runai", (struct fake_files){.journal = NULL}, 1);
    reload(bed, FILE_WITH(TRAIN)); /* "build" is created with its first job */
    steps(bed, 100);
    reload(bed, FILE_WITH(TRAIN ", {\"name\": \"lab\"}, {\"name\": \"build\", \"parent\": \"lab\", "
                                "\"gpu\": {\"quota\": 12}}"));
    steps(bed, 400);
    ck_assert_uint_eq(starts_of_build(bed->slurm), 0);
    reload(bed, FILE_WITH(TRAIN));
    reload(bed, FILE_WITH(TRAIN ", {\"name\": \"build\", \"gpu\": {\"quota\": 12}}"));
    until_all_is_over(bed);
    fake_close(bed);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/tracker");
    TCase *tcase = tcase_create("made-up Slurm");
    tcase_add_loop_test(tcase, no_job_is_lost, 0, harness_repeats(SEEDS * ROWS(policies)));
    tcase_add_loop_test(tcase, a_suspended_queue_starts_nothing_until_it_is_resumed, 0, 4);
    tcase_add_loop_test(tcase, a_lower_quota_and_limit_hold, 0, 4);
    tcase_add_test(tcase, a_parent_that_would_change_is_refused_by_the_core);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
