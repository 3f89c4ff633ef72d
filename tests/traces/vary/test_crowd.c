/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The users behind jobs: users, bursts and chains; and turns, which keep hours of the week and
 * permute the places of a span. */
#include "traces/vary/crowd.h"

#include "sim/base/mem.h"
#include "tests/traces/people.h"

static bool all(struct picked *p, struct err *err)
{
    (void)err;
    for (size_t i = 0; i < p->sources[0].count; i++)
        picks_add(&p->picks, (struct pick){.submit_ms = p->sources[0].jobs[i].submit_ms, .job = i});
    return true;
}

/* For a stage that returns its source unchanged, after its first job. */
static struct picked *pass(struct people *p)
{
    struct picked *stage = mem_alloc(1, sizeof *stage);
    struct trace *in = whole_trace(&p->source, "test");
    stage->prepare = all;
    picked_init(stage, &in, 1, &p->names);
    p->trace = &stage->base;
    ck_assert(people_next(p));
    return stage;
}

/* Spans of 2, 3 and 3.7 weeks, and of five days. */
static const struct span_row {
    int64_t span_ms, period_ms;
} spans[] = {
    {2 * WEEK_MS, WEEK_MS},         {3 * WEEK_MS, WEEK_MS}, {26 * DAY_MS + 5 * HOUR_MS, WEEK_MS},
    {5 * DAY_MS + HOUR_MS, DAY_MS}, {5 * HOUR_MS, DAY_MS},
};

START_TEST(turns_permute_places)
{
    const struct span_row *row = &spans[_i];
    struct people p;
    struct crowd c;
    people_open(&p);
    int hours = (int)(row->span_ms / HOUR_MS);
    for (int h = 0; h <= hours; h++)
        people_add(&p, h % 2 > 0 ? "eva" : "bob", 777 + h * HOUR_MS, 1, HOUR_MS, "");
    crowd_find(&c, pass(&p), 2);
    ck_assert_int_eq(c.span_ms, row->span_ms);
    ck_assert_int_eq(c.period_ms, row->period_ms);
    ck_assert_uint_eq(c.unit_count, (size_t)hours + 1); /* an hour apart: bursts of one */
    for (uint64_t turns = 0; turns <= crowd_places(&c); turns++) {
        bool *taken = mem_alloc((size_t)hours + 1, sizeof *taken);
        for (size_t u = 0; u < c.unit_count; u++) {
            int64_t shift_ms = crowd_shift(&c, &c.units[u], turns);
            int64_t at_ms = c.jobs.all[c.units[u].first].submit_ms + shift_ms - 777;
            ck_assert_int_eq(shift_ms % row->period_ms, 0);
            ck_assert(turns > 0 || shift_ms == 0);
            ck_assert_int_ge(at_ms, 0);
            ck_assert_int_le(at_ms, row->span_ms);
            ck_assert(!taken[at_ms / HOUR_MS]);
            taken[at_ms / HOUR_MS] = true;
        }
        free(taken);
    }
    crowd_fini(&c);
    people_close(&p);
}
END_TEST

/* A burst that begins just before the end of the span does not wrap to its beginning. */
START_TEST(bursts_move_as_a_whole)
{
    struct people p;
    struct crowd c;
    people_open(&p);
    people_add(&p, "bob", 0, 1, HOUR_MS, "");
    for (int i = 0; i < 20; i++)
        people_add(&p, "eva", 13 * DAY_MS + 22 * HOUR_MS + i * INT64_C(500000), 2, HOUR_MS, "");
    people_add(&p, "bob", 21 * DAY_MS - HOUR_MS, 1, HOUR_MS, "");
    crowd_find(&c, pass(&p), 2);
    ck_assert_uint_eq(c.user_count, 2);
    ck_assert_uint_eq(c.unit_count, 3);
    const struct crowd_unit *burst = &c.units[2];
    ck_assert_uint_eq(burst->count, 20);
    ck_assert_double_eq(burst->gpu_s, 20 * 2 * 3600);
    ck_assert_uint_eq(burst->user, 1);
    ck_assert_int_eq(crowd_shift(&c, burst, 0), 0);
    ck_assert_int_eq(crowd_shift(&c, burst, 1),
                     -WEEK_MS); /* a week later it would end after the span */
    ck_assert_int_eq(crowd_shift(&c, burst, 2), -WEEK_MS);
    crowd_fini(&c);
    people_close(&p);
}
END_TEST

/* Jobs that depend on each other or share an array are one unit, whatever the gap; only within one
 * user. */
START_TEST(links_join_units)
{
    struct people p;
    struct crowd c;
    people_open(&p);
    people_add(&p, "eva", 0, 1, HOUR_MS, "");
    people_add(&p, "eva", HOUR_MS, 1, HOUR_MS, "");
    people_add(&p, "bob", 2 * HOUR_MS, 1, HOUR_MS, "j0");
    people_add(&p, "eva", 3 * HOUR_MS, 1, HOUR_MS, "any:j0|none");
    crowd_find(&c, pass(&p), 2);
    ck_assert_uint_eq(c.user_count, 2);
    ck_assert_uint_eq(c.unit_count, 3);
    ck_assert_uint_eq(c.units[0].count, 2);
    ck_assert(c.units[0].linked);
    ck_assert_uint_eq(c.jobs.all[1].job, 3);
    ck_assert(!c.units[1].linked);
    crowd_fini(&c);
    people_close(&p);
}
END_TEST

/* Without names: by queue and class, and by the hour if submissions never pause. */
START_TEST(bursts_of_the_unnamed)
{
    struct people p;
    struct crowd c;
    people_open(&p);
    for (int i = 0; i < 240; i++) /* four hours, a job a minute */
        people_add(&p, "", i * INT64_C(60000), 1, HOUR_MS, "");
    crowd_find(&c, pass(&p), 2);
    ck_assert(c.bursts);
    ck_assert_uint_eq(c.user_count, 4);
    ck_assert_uint_eq(c.units[0].count, 61);
    crowd_fini(&c);
    people_close(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("crowd");
    TCase *tcase = tcase_create("crowd");
    tcase_add_loop_test(tcase, turns_permute_places, 0, ROWS(spans));
    tcase_add_test(tcase, bursts_move_as_a_whole);
    tcase_add_test(tcase, links_join_units);
    tcase_add_test(tcase, bursts_of_the_unnamed);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
