/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Load by users: GPU time within 0.5 % although it is heavy-tailed, over exactly the same span,
 * which need not be whole weeks, with the same hours of the week; complete chains; unique names,
 * even for a trace that was perturbed before.
 */
#include "traces/vary/perturb.h"

#include "tests/lib/draw.h"
#include "tests/traces/people.h"

#include <math.h>

enum { USERS = 60, DAYS = 26, JOBS = 6000 };

static double uniform(uint64_t *state)
{
    return (double)(test_draw(state) >> 11) * 0x1p-53;
}

static int by_time(const void *a, const void *b)
{
    const int64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/*
 * Jobs at random times of 26 days, three times as many by day (8 to 20 o'clock) on five of seven
 * days; user u submits ~ 1 / (u + 1) of them; run times are Pareto with exponent 1.2, the largest
 * about a hundredth of all GPU time.
 */
static void make(struct people *p, uint64_t seed)
{
    static int64_t times[JOBS];
    uint64_t state = seed;
    people_open(p);
    for (int i = 0; i < JOBS;) {
        times[i] = (int64_t)(uniform(&state) * DAYS * 24 * 3600) * 1000;
        int64_t hour = times[i] / HOUR_MS;
        bool busy = hour / 24 % 7 < 5 && hour % 24 >= 8 && hour % 24 < 20;
        i += busy || uniform(&state) * 3 < 1;
    }
    qsort(times, JOBS, sizeof *times, by_time);
    for (int i = 0; i < JOBS; i++) {
        char user[16];
        snprintf(user, sizeof user, "u%d", (int)(pow(USERS + 1, uniform(&state)) - 1));
        double seconds = fmin(60 * pow(1 - uniform(&state), -1 / 1.2), 2e5);
        people_add(p, user, times[i], 1 + (int64_t)(test_draw(&state) % 8), (int64_t)seconds * 1000,
                   "");
    }
}

static void perturb(struct people *p, struct trace_perturbation wanted)
{
    struct trace *in = whole_trace(&p->source, "test");
    wanted.names = p->names;
    p->trace = trace_perturb(&in, 1, &wanted);
}

struct figures {
    double gpu_s, hours[168];
    int64_t first_ms, last_ms;
    size_t count;
};

static void see(struct figures *f, const struct trace_job *job)
{
    if (f->count++ == 0)
        f->first_ms = job->submit_ms;
    ck_assert(f->count == 1 || job->submit_ms >= f->last_ms);
    f->last_ms = job->submit_ms;
    f->hours[job->submit_ms / HOUR_MS % 168]++;
    f->gpu_s += people_gpu_s(job);
}

static const double loads[] = {0.5, 0.9, 1.1, 1.3, 2.0};

/*
 * Chi-square of the hours against the shares of the source. For independent jobs it is 167 +- 18 if
 * all are different, less if most are the same; bursts and users increase it a little. 60 % too
 * many at night would be 1,000.
 */
START_TEST(load_is_met_over_the_same_span)
{
    struct people p;
    struct figures from = {0}, to = {0};
    make(&p, 7);
    for (size_t i = 0; i < p.source.count; i++)
        see(&from, &p.source.jobs[i]);
    perturb(&p, (struct trace_perturbation){.load = loads[_i], .seed = 11});
    struct symbols *ids = symbols_create();
    while (people_next(&p)) {
        see(&to, &p.job);
        symbols_add(ids, p.job.id, strlen(p.job.id));
    }
    ck_assert_double_eq_tol(to.gpu_s / from.gpu_s / loads[_i], 1, 0.005);
    ck_assert_int_eq(to.first_ms, from.first_ms);
    ck_assert_int_eq(to.last_ms, from.last_ms);
    ck_assert_uint_eq(symbols_count(ids), to.count);
    double chi = 0;
    for (int h = 0; h < 168; h++) {
        double expected = from.hours[h] * (double)to.count / (double)from.count;
        chi += (to.hours[h] - expected) * (to.hours[h] - expected) / expected;
    }
    ck_assert_double_lt(chi, 230);
    size_t notes;
    trace_notes(p.trace, &notes);
    ck_assert_uint_eq(notes, 0);
    symbols_destroy(ids);
    people_close(&p);
}
END_TEST

/* Without named users: the same with bursts, and a note. */
START_TEST(bursts_stand_for_users_without_names)
{
    struct people p;
    double from = 0, to = 0;
    make(&p, 3);
    for (size_t i = 0; i < p.source.count; i++) {
        p.source.jobs[i].user = symbols_add(p.names.users, "", 0);
        from += people_gpu_s(&p.source.jobs[i]);
    }
    perturb(&p, (struct trace_perturbation){.load = 1.3, .seed = 2});
    while (people_next(&p)) {
        ck_assert_str_eq(symbols_name(p.names.users, p.job.user), "");
        to += people_gpu_s(&p.job);
    }
    ck_assert_double_eq_tol(to / from, 1.3, 0.0065);
    size_t notes;
    const struct trace_note *note = trace_notes(p.trace, &notes);
    ck_assert_uint_eq(notes, 1);
    harness_contains(note->what, "bursts of a queue and class");
    people_close(&p);
}
END_TEST

/*
 * A chain of three for each of 40 users, an hour apart: successors come later, under the same mark;
 * no job depends on a missing one, whether chains are added or left out.
 */
START_TEST(chains_stay_whole)
{
    struct people p;
    people_open(&p);
    for (int step = 0; step < 3; step++)
        for (int u = 0; u < 40; u++) {
            char user[16], after[16] = "";
            snprintf(user, sizeof user, "u%d", u);
            if (step > 0)
                snprintf(after, sizeof after, "j%d", (step - 1) * 40 + u);
            people_add(&p, user, step * HOUR_MS + u, 1, HOUR_MS, after);
        }
    perturb(&p, (struct trace_perturbation){.load = loads[_i], .seed = 4});
    struct symbols *ids = symbols_create();
    int jobs = 0;
    for (; people_next(&p); jobs++) {
        ck_assert_uint_eq(symbols_find(ids, p.job.id, strlen(p.job.id)), SYMBOL_NONE);
        ck_assert(p.job.after[0] == '\0' ||
                  symbols_find(ids, p.job.after, strlen(p.job.after)) != SYMBOL_NONE);
        symbols_add(ids, p.job.id, strlen(p.job.id));
    }
    ck_assert_int_eq(jobs, (int)(120 * loads[_i] + 0.5));
    symbols_destroy(ids);
    people_close(&p);
}
END_TEST

/* A trace that was perturbed before has "j#1" beside "j": "j#1" must not be derived from "j" again.
 */
START_TEST(names_of_names_are_unique)
{
    struct people p;
    people_open(&p);
    struct symbols *ids = symbols_create();
    size_t count = 0;
    for (int u = 0; u < 50; u++) {
        char user[16] = "eva", id[16];
        if (u % 2 > 0)
            snprintf(user, sizeof user, "eva#%d", u / 2 + 1);
        snprintf(id, sizeof id, u == 0 ? "j" : "j%c%d", u % 2 > 0 ? '#' : '~', u);
        people_add_as(&p, id, user, u * DAY_MS, 1, HOUR_MS, "");
    }
    perturb(&p, (struct trace_perturbation){.load = 3, .seed = 4});
    for (; people_next(&p); count++)
        symbols_add(ids, p.job.id, strlen(p.job.id));
    ck_assert_uint_eq(count, 150);
    ck_assert_uint_eq(symbols_count(ids), count);
    symbols_destroy(ids);
    people_close(&p);
}
END_TEST

/* Two jobs, neither of which is half of both: the nearest load, and a note. */
START_TEST(unreachable_loads_are_noted)
{
    struct people p;
    people_open(&p);
    people_add(&p, "a", 0, 1, HOUR_MS, "");
    people_add(&p, "b", DAY_MS, 1, HOUR_MS, "");
    perturb(&p, (struct trace_perturbation){.load = 1.3, .seed = 4});
    int jobs = 0;
    while (people_next(&p))
        jobs++;
    ck_assert_int_eq(jobs, 3); /* 1.5 is nearer to 1.3 than 1 is */
    size_t notes;
    const struct trace_note *note = trace_notes(p.trace, &notes);
    ck_assert_uint_eq(notes, 1);
    harness_contains(note->what, "not within 0.5 %");
    people_close(&p);
}
END_TEST

START_TEST(equal_seeds_give_equal_jobs)
{
    struct people a, b, c;
    int same = 0, count = 0;
    make(&a, 5);
    make(&b, 5);
    make(&c, 5);
    perturb(&a, (struct trace_perturbation){.load = 1.3, .seed = 1});
    perturb(&b, (struct trace_perturbation){.load = 1.3, .seed = 1});
    perturb(&c, (struct trace_perturbation){.load = 1.3, .seed = 2});
    for (; people_next(&a); count++) {
        ck_assert(people_next(&b));
        ck_assert_str_eq(a.job.id, b.job.id);
        ck_assert_int_eq(a.job.submit_ms, b.job.submit_ms);
        same += people_next(&c) && strcmp(a.job.id, c.job.id) == 0;
    }
    ck_assert(!people_next(&b));
    ck_assert_int_lt(same, count);
    people_close(&a);
    people_close(&b);
    people_close(&c);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("perturb_load");
    TCase *tcase = tcase_create("perturb_load");
    tcase_add_loop_test(tcase, load_is_met_over_the_same_span, 0, ROWS(loads));
    tcase_add_loop_test(tcase, chains_stay_whole, 0, ROWS(loads));
    tcase_add_test(tcase, bursts_stand_for_users_without_names);
    tcase_add_test(tcase, names_of_names_are_unique);
    tcase_add_test(tcase, unreachable_loads_are_noted);
    tcase_add_test(tcase, equal_seeds_give_equal_jobs);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
