/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tracker against a simulated Slurm, with each policy and random failures. At every step the
 * core must be consistent and may refuse no fact; jobs start where ordered; limits hold; the
 * adapter is stopped and restarted; and when the failures are over every job ends.
 */
#include "tests/lib/harness.h"
#include "tests/lib/slurm/fake_slurm.h"

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

int main(void)
{
    Suite *suite = suite_create("adapters/slurm/tracker");
    TCase *tcase = tcase_create("made-up Slurm");
    tcase_add_loop_test(tcase, no_job_is_lost, 0, harness_repeats(SEEDS * ROWS(policies)));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
