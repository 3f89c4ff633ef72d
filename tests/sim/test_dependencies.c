/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies between jobs: small stories with every time by hand, closed runs, refusals, and
 * random traces whose starts and ends are checked against the rules.
 */
#include "tests/sim/small.h"

#include "sim/dependencies.h"

static struct small s;

static void run(void)
{
    ck_assert_msg(small_create(&s), "%s", s.err.msg);
    s.trace->linked = true;
    ck_assert_msg(sim_run(s.sim, INT64_MAX, &s.err) && sim_finish(s.sim, &s.err), "%s", s.err.msg);
}

/* ---- stories ---- */

struct line {
    const char *id, *after, *array;
    int64_t submit_s, duration_s, gpus;
    int limit;
    enum trace_status status;
    int64_t think_s;
};

static const struct story {
    const char *about;
    int gpus;
    struct line jobs[8];
    const char *log;
    struct sim_dependencies_figures figures;
} stories[] = {
    {"a job follows another, on an idle fleet",
     4,
     {{"a", "", "", 0, 10, 1, 0, TRACE_COMPLETED, -1},
      {"b", "a", "", 1, 5, 1, 0, TRACE_COMPLETED, -1}},
     "submit a 0; start a 0; end a 10; submit b 10; start b 10; end b 15; ",
     {.linked = 1, .released = 1, .held_ms = 9000, .longest_ms = 9000}},
    {"it follows the last of several, and thinks",
     4,
     {{"a", "", "", 0, 10, 1, 0, TRACE_COMPLETED, -1},
      {"b", "", "", 0, 20, 1, 0, TRACE_COMPLETED, -1},
      {"c", "a|b", "", 1, 5, 1, 0, TRACE_COMPLETED, 7}},
     "submit a 0; submit b 0; start a 0; start b 0; end a 10; end b 20; submit c 27; start c 27; "
     "end c 32; ",
     {.linked = 1, .released = 1, .held_ms = 26000, .longest_ms = 26000}},
    {"one that ended before, and one that nobody knows",
     4,
     {{"a", "", "", 0, 2, 1, 0, TRACE_COMPLETED, -1},
      {"b", "a|x", "", 9, 5, 1, 0, TRACE_COMPLETED, -1}},
     "submit a 0; start a 0; end a 2; submit b 9; start b 9; end b 14; ",
     {.linked = 1, .unknown = 1, .released = 1}},
    {"who needs a job that fails is cancelled with all that need him, unless any end will do",
     4,
     {{"a", "", "", 0, 10, 1, 0, TRACE_FAILED, -1},
      {"b", "a", "", 1, 5, 1, 0, TRACE_COMPLETED, -1},
      {"c", "b", "", 2, 5, 1, 0, TRACE_COMPLETED, -1},
      {"d", "any:a", "", 3, 5, 1, 0, TRACE_COMPLETED, -1},
      {"e", "a", "", 20, 5, 1, 0, TRACE_COMPLETED, -1}},
     "submit a 0; start a 0; end a 10; submit b 10; end b 10; submit c 10; end c 10; submit d 10; "
     "start d 10; end d 15; submit e 20; end e 20; ",
     {.linked = 4,
      .cancelled = 3,
      .released = 4,
      .held_ms = 9000 + 8000 + 7000,
      .longest_ms = 9000}},
    {"two of an array at a time, on devices for all",
     8,
     {{"a", "", "A", 0, 10, 1, 2, TRACE_COMPLETED, -1},
      {"b", "", "A", 0, 4, 1, 2, TRACE_FAILED, -1},
      {"c", "", "A", 0, 3, 1, 2, TRACE_COMPLETED, -1},
      {"d", "", "A", 0, 9, 1, 2, TRACE_COMPLETED, -1},
      {"e", "", "", 0, 1, 1, 0, TRACE_COMPLETED, -1}},
     "submit e 0; submit a 0; submit b 0; start a 0; start b 0; start e 0; end e 1; end b 4; "
     "submit c 4; start c 4; "
     "end c 7; submit d 7; start d 7; end a 10; end d 16; ",
     {.arrays = 1, .members = 4, .capped = 2, .released = 2, .held_ms = 11000, .longest_ms = 7000}},
    {"a place goes to who waited for it, not to who is due at the same time",
     4,
     {{"y", "", "", 0, 10, 1, 0, TRACE_COMPLETED, -1},
      {"r", "y", "A", 0, 5, 1, 1, TRACE_COMPLETED, -1},
      {"x", "", "A", 0, 10, 1, 1, TRACE_COMPLETED, -1},
      {"w", "", "A", 5, 5, 1, 1, TRACE_COMPLETED, -1}},
     "submit y 0; submit x 0; start y 0; start x 0; end y 10; end x 10; submit w 10; start w 10; "
     "end w 15; submit r 15; start r 15; end r 20; ",
     {.linked = 1,
      .arrays = 1,
      .members = 3,
      .capped = 2,
      .released = 2,
      .held_ms = 20000,
      .longest_ms = 15000}},
    {"without a limit an array is a name",
     2,
     {{"a", "", "A", 0, 3, 1, 0, TRACE_COMPLETED, -1},
      {"b", "", "A", 0, 3, 1, 0, TRACE_COMPLETED, -1}},
     "submit a 0; submit b 0; start a 0; start b 0; end a 3; end b 3; ",
     {.arrays = 1, .members = 2}},
    {"after a job that never ends nobody comes",
     2,
     {{"a", "", "", 0, 3, 99, 0, TRACE_COMPLETED, -1},
      {"b", "a", "", 0, 3, 1, 0, TRACE_COMPLETED, -1}},
     "submit a 0; ",
     {.linked = 1, .open = 1}},
};

static void same_figures(const struct sim_dependencies_figures *is,
                         const struct sim_dependencies_figures *want)
{
    ck_assert_uint_eq(is->linked, want->linked);
    ck_assert_uint_eq(is->unknown, want->unknown);
    ck_assert_uint_eq(is->cancelled, want->cancelled);
    ck_assert_uint_eq(is->arrays, want->arrays);
    ck_assert_uint_eq(is->members, want->members);
    ck_assert_uint_eq(is->capped, want->capped);
    ck_assert_uint_eq(is->reactions, want->reactions);
    ck_assert_uint_eq(is->open, want->open);
    ck_assert_uint_eq(is->released, want->released);
    ck_assert_int_eq(is->held_ms, want->held_ms);
    ck_assert_int_eq(is->longest_ms, want->longest_ms);
}

static void tell(const struct story *story)
{
    small_pool(&s, "p", 1, story->gpus);
    for (const struct line *l = story->jobs; l->id != NULL; l++) {
        struct trace_job *job =
            small_job(&s, l->id, l->submit_s * 1000, l->duration_s * 1000, l->gpus);
        job->after = l->after;
        job->array = l->array;
        job->array_limit = l->limit;
        job->status = l->status;
        job->think_ms = l->think_s < 0 ? TRACE_UNKNOWN : l->think_s * 1000;
    }
    run();
    ck_assert_str_eq(s.log, story->log);
    same_figures(sim_dependencies_figures(s.sim), &story->figures);
}

START_TEST(test_stories)
{
    small_begin(&s, "fifo", "");
    tell(&stories[_i]);
    small_end(&s);
}
END_TEST

/* ---- closed runs ---- */

/*
 * On a fleet that starts every job at once, all users submit as in the trace; on one device b runs
 * last, and users who react are late by as much. c was submitted while b ran: as long after b's
 * submission as in the trace. e was submitted 100 s after d ended.
 */
static void users(void)
{
    symbols_add(s.names.users, "u", 1);
    static const struct {
        const char *id;
        int64_t submit_s, duration_s;
        uint32_t user;
    } jobs[] = {{"a", 0, 10, 1},  {"x", 0, 30, 0}, {"b", 15, 10, 1},
                {"c", 20, 10, 1}, {"d", 40, 5, 1}, {"e", 145, 5, 1}};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        small_job(&s, jobs[i].id, jobs[i].submit_s * 1000, jobs[i].duration_s * 1000, 1)->user =
            jobs[i].user;
    s.config.closed = true;
}

static const struct {
    int gpus;
    int64_t think_max_ms;
    const char *log;
    uint64_t reactions;
} closed[] = {
    {8, -1,
     "submit a 0; submit x 0; start a 0; start x 0; end a 10; submit b 15; start b 15; submit c "
     "20; start c 20; end b 25; "
     "end x 30; end c 30; submit d 40; start d 40; end d 45; submit e 145; start e 145; end e "
     "150; ",
     4},
    /* b's think time after a is 5 s; c comes 5 s after b; d 10 s after c's end; e 100 s after d's.
     */
    {1, -1,
     "submit a 0; submit x 0; start a 0; end a 10; start x 10; submit b 15; submit c 20; end x 40; "
     "start b 40; end b 50; "
     "start c 50; end c 60; submit d 70; start d 70; end d 75; submit e 175; start e 175; end e "
     "180; ",
     4},
    /* Events of 50 s ago cause no reaction. */
    {1, 50000,
     "submit a 0; submit x 0; start a 0; end a 10; start x 10; submit b 15; submit c 20; end x 40; "
     "start b 40; end b 50; "
     "start c 50; end c 60; submit d 70; start d 70; end d 75; submit e 145; start e 145; end e "
     "150; ",
     3},
};

START_TEST(test_closed)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, closed[_i].gpus);
    users();
    s.config.think_max_ms = closed[_i].think_max_ms;
    run();
    ck_assert_str_eq(s.log, closed[_i].log);
    ck_assert_uint_eq(sim_dependencies_figures(s.sim)->reactions, closed[_i].reactions);
    small_end(&s);
}
END_TEST

/* On a faster fleet a user submits earlier than in the trace: a took 100 s there, and takes 10
 * here. */
START_TEST(test_closed_comes_earlier)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    small_job(&s, "a", 0, 10000, 1)->end_ms = 100000;
    small_job(&s, "b", 103000, 1000, 1);
    s.config.closed = true;
    s.config.think_max_ms = -1;
    run();
    ck_assert_str_eq(s.log, "submit a 0; start a 0; end a 10; submit b 13; start b 13; end b 14; ");
    small_end(&s);
}
END_TEST

/* ---- refusals ---- */

static const struct {
    const char *after, *array;
    int limit;
    const char *says;
} refused[] = {
    {"b", "", 0, "job 'b' (row 2 of its trace): after is 'b', expected other jobs"},
    {"a|", "", 0, "after is 'a|'"},
    {"|a", "", 0, "after is '|a'"},
    {"", "A", 3, "array_limit is 3, but 2 for jobs of array 'A'"},
};

START_TEST(test_refused)
{
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 1, 1);
    struct trace_job *a = small_job(&s, "a", 0, 1000, 1);
    a->array = "A";
    a->array_limit = 2;
    struct trace_job *b = small_job(&s, "b", 0, 1000, 1);
    b->after = refused[_i].after;
    b->array = refused[_i].array;
    b->array_limit = refused[_i].limit;
    ck_assert(small_create(&s));
    s.trace->linked = true;
    ck_assert(!sim_run(s.sim, INT64_MAX, &s.err));
    ck_assert_int_eq(s.err.code, EXIT_INPUT);
    ck_assert_ptr_nonnull(strstr(s.err.msg, refused[_i].says));
    small_end(&s);
}
END_TEST

/* ---- random traces ---- */

enum { RANDOM_JOBS = 300, MOST_AFTER = 3, ARRAYS = 4 };

struct drawn {
    int needs[MOST_AFTER], need_count;
    bool any[MOST_AFTER];
    int array;
    char after[64];
};
static struct drawn drawn[RANDOM_JOBS];

static void draw_after(struct drawn *d, uint64_t *state, int i)
{
    d->need_count = i > 0 ? (int)(test_draw(state) % (MOST_AFTER + 1)) : 0;
    d->after[0] = '\0';
    size_t n = 0;
    for (int k = 0; k < d->need_count; k++) {
        d->needs[k] = (int)(test_draw(state) % (uint64_t)i);
        d->any[k] = test_draw(state) % 2 == 0;
        n += (size_t)snprintf(d->after + n, sizeof d->after - n, "%s%sj%d", k > 0 ? "|" : "",
                              d->any[k] ? "any:" : "", d->needs[k]);
    }
}

static void draw_jobs(uint64_t *state)
{
    static const char *const names[ARRAYS] = {"A", "B", "C", "D"};
    int64_t at = 0;
    for (int i = 0; i < RANDOM_JOBS; i++) {
        char id[16];
        snprintf(id, sizeof id, "j%d", i);
        at += (int64_t)(test_draw(state) % 20) * 1000;
        struct trace_job *job = small_job(&s, id, at, (int64_t)(test_draw(state) % 60) * 1000,
                                          1 + (int64_t)(test_draw(state) % 4));
        job->status = test_draw(state) % 5 == 0 ? TRACE_FAILED : TRACE_COMPLETED;
        draw_after(&drawn[i], state, i);
        job->after = drawn[i].after;
        drawn[i].array = (int)(test_draw(state) % (2 * ARRAYS));
        if (drawn[i].array < ARRAYS) {
            job->array = names[drawn[i].array];
            job->array_limit = 1 + drawn[i].array;
        }
    }
}

static bool went_well(int i)
{
    return s.lives[i].start_ms != WORK_NEVER && s.jobs[i].status == TRACE_COMPLETED;
}

/* Jobs started after the jobs that they need had ended as required; for those that never did, one
 * of them had not. */
static void check_needs(int i)
{
    bool doomed = false;
    for (int k = 0; k < drawn[i].need_count; k++)
        doomed |= !drawn[i].any[k] && !went_well(drawn[i].needs[k]);
    ck_assert_int_eq(s.lives[i].start_ms == WORK_NEVER, doomed);
    ck_assert_int_eq(s.lives[i].times_ended, 1);
    for (int k = 0; k < drawn[i].need_count && !doomed; k++)
        ck_assert_int_ge(s.lives[i].start_ms, s.lives[drawn[i].needs[k]].end_ms);
}

/* An array never runs more jobs than its limit: counted at every start. */
static void check_array(int i)
{
    int at_work = 0;
    for (int k = 0; k < RANDOM_JOBS; k++)
        at_work += drawn[k].array == drawn[i].array && s.lives[k].start_ms != WORK_NEVER &&
                   s.lives[k].start_ms <= s.lives[i].start_ms &&
                   s.lives[k].end_ms > s.lives[i].start_ms;
    ck_assert_int_le(at_work, 1 + drawn[i].array);
}

START_TEST(test_random)
{
    static const char *const presets[] = {"fifo", "sjf", "easy", "runai"};
    uint64_t state = (uint64_t)_i;
    small_begin(&s, presets[_i % 4], "");
    s.silent = true;
    small_pool(&s, "p", 2, 4);
    s.config.cycle_ms = _i % 3 == 0 ? 5000 : 0;
    draw_jobs(&state);
    run();
    ck_assert_uint_eq(s.sim->ended, RANDOM_JOBS);
    for (int i = 0; i < RANDOM_JOBS; i++) {
        check_needs(i);
        if (drawn[i].array < ARRAYS && s.lives[i].start_ms != WORK_NEVER)
            check_array(i);
    }
    small_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("holds");
    TCase *tcase = tcase_create("holds");
    tcase_add_loop_test(tcase, test_stories, 0, (int)(sizeof stories / sizeof *stories));
    tcase_add_loop_test(tcase, test_closed, 0, (int)(sizeof closed / sizeof *closed));
    tcase_add_test(tcase, test_closed_comes_earlier);
    tcase_add_loop_test(tcase, test_refused, 0, (int)(sizeof refused / sizeof *refused));
    tcase_add_loop_test(tcase, test_random, 0, 12);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
