/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The most that queues lose in whole jobs, one after the other: before the last one, jobs within a
 * bound. Jobs of b and c run on nodes of 64 devices, and a job of a looks for victims; by hand.
 */
#include "act/victims/loss_bounds.h"
#include "state/engine.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define NODES "node n0 64; node n1 64; queue a gpu=64; queue b gpu=64; queue c gpu=64; job g a 1x8;"

struct row {
    const char *jobs;
    int64_t before, milli; /* bounds of each queue */
    int64_t most;          /* thousandths of devices */
};

static const struct row rows[] = {
    {"job j b 1x8@n0; job k b 1x8@n0; job l b 1x16@n0; job m b 1x32@n0", 13000, 64000,
     40000},                                                   /* one of 8, then 32 */
    {"job j b 1x16@n0; job k b 1x32@n0", 12000, 64000, 32000}, /* either */
    {"job j b 1x16@n0; job k b 1x32@n0", 16000, 64000, 48000}, /* 16, then 32 */
    {"job j b 1x8@n0; job k b 1x16@n0", 7999, 64000, 16000},   /* 8 are above the bound */
    {"job j b 1x8@n0; job k b 1x16@n0", 8000, 64000, 24000},   /* 8, then 16 */
    {"job k b 1x4@n0; job j b 2x4@n0,n1", 4000, 64000, 12000}, /* the gang last */
    {"job j b 2x4@n0,n1; job k b 1x4@n0", 4000, 64000, 8000},  /* the gang first: no other */
    {"job j b 1x32@n0; job k b 1x8@n0; job l b 1x4@n0", 8000, 64000, 32000}, /* one, or 8 + 4 */
    {"job k b 1x8@n0; job j b 1x32@n0; job l b 1x4@n0", 8000, 64000, 40000},
    {"job j b 2x4@n0,n1; job k b 1x4@n0", 3000, 64000, 8000}, /* a gang is one piece */
    {"job j b 1x4@n0; job k b 1x4@n0; job l b 1x4@n0", 7000, 64000, 8000},
    {"job j b 1x4@n0; job k b 1x4@n0; job l b 1x4@n0", 8000, 64000, 12000},
    {"job j b 1x4@n0; job k b 1x4@n0", 63000, 64000, 8000}, /* there are no more */
    {"job j b 1x63@n0; job k b 1x63@n1", 63000, 128000, 126000},
    {"job j b 1x63@n0; job k b 1x63@n1", 62000, 128000, 63000},
    {"job j b 1x63@n0; job k b 1x63@n1", 64000, 128000, 126000}, /* from 64 on by the bound alone */
    {"job j b 1x16@n0; job k b 1x32@n0", 40000, 30000, 16000},   /* 32 are more than it may lose */
    {"job j b 4x1/1@n0,n0,n0,n0; job k b 1x4@n0", 1000, 64000, 5000}, /* single tasks, then 4 */
    {"job j b 1x4@n0; job k b 1x1*.5@n0:8", 3900, 64000,
     4500}, /* with parts the sums do not apply */
    {"job j b 1x8@n0; job k b 1x16@n0; job l c 1x8@n1; job m c 1x32@n1", 8000, 64000,
     64000},                                                                  /* each its own */
    {"job j b 1x8@n0; job k b 1x16@n0; job l c 1x32@n1", 7000, 64000, 48000}, /* 16 and 32 */
};

/* Rows with fewer pieces: tasks with fewer devices do not count, or not all of a job are listed. */
static const struct {
    struct row row;
    int32_t least;
    uint32_t tasks;
} fewer[] = {
    {{"job j b 1x4@n0; job k b 1x8@n0", 8000, 64000, 12000}, 4, UINT32_MAX},
    {{"job j b 1x4@n0; job k b 1x8@n0", 8000, 64000, 8000}, 5, UINT32_MAX},
    {{"job j b 2x4@n0,n1; job k b 1x4@n0", 3000, 64000, 7000}, 0, 1}, /* sums do not apply */
};

/* If some victims may be missing, only the recorded ones are known to come first, in this order. */
static const struct {
    struct row row;
    uint32_t recorded; /* tasks */
} unordered[] = {
    {{"job j b 1x32@n0; job k b 1x8@n0; job l b 1x4@n0", 8000, 64000, 40000}, 0},
    {{"job j b 1x32@n0; job k b 1x8@n0; job l b 1x4@n0", 8000, 64000, 32000}, 1},
    {{"job j b 1x4@n0; job k b 1x32@n0; job l b 1x8@n0", 8000, 64000, 40000}, 1},
    {{"job j b 1x4@n0; job k b 1x32@n0; job l b 1x8@n0", 8000, 64000, 36000}, 2},
};

static int64_t before_last, milli;
static bool timeless = true;

static struct pc_bound bound(const struct pc_search *s, uint32_t bearer)
{
    (void)s;
    (void)bearer;
    return (struct pc_bound){.milli = milli, .alone = milli, .before_last = before_last};
}

/* Lists the running jobs, of each at most this many tasks. */
static void list_all(struct pc_search *s, uint32_t tasks)
{
    struct pc_cluster *c = s->c;
    c->evicted.count = 0;
    for (uint32_t job = 0; job < c->job_count; job++)
        for (uint32_t i = 0; job != s->job && i < c->shapes[c->jobs[job].shape].tasks && i < tasks;
             i++)
            ck_assert(pc_list_victim(s, &c->evicted, job, i));
}

static void check(const struct row *row, int32_t least, uint32_t tasks, bool superset,
                  uint32_t recorded)
{
    static const struct pc_purpose purpose = {.reach = PC_ALL, .most_lost = bound};
    struct story story;
    char text[2048];
    ck_assert_int_lt(snprintf(text, sizeof text, "%s%s", NODES, row->jobs), (int)sizeof text);
    story_open(&story, text);
    struct pc_search s = {
        .p = story.p, .c = story.p->cluster, .purpose = &purpose, .job = story_job(&story, "g").i};
    before_last = row->before;
    milli = row->milli;
    s.c->step_number++;
    list_all(&s, tasks);
    s.superset = superset;
    s.timeless = timeless;
    s.c->recorded.count = recorded;
    ck_assert_int_eq(pc_most_lost(&s, least, 1), row->most);
    s.c->recorded.count = 0;
    story_close(&story);
}

static void check_row(const struct row *row, int32_t least, uint32_t tasks)
{
    check(row, least, tasks, false, 0);
}

START_TEST(whole_jobs)
{
    check_row(&rows[_i], 0, UINT32_MAX);
}
END_TEST

START_TEST(fewer_pieces)
{
    check_row(&fewer[_i].row, fewer[_i].least, fewer[_i].tasks);
}
END_TEST

START_TEST(jobs_in_any_order)
{
    check(&unordered[_i].row, 0, UINT32_MAX, true, unordered[_i].recorded);
}
END_TEST

/* A search that meets jobs that are protected for a time asks about as many as without the order.
 */
START_TEST(the_order_counts_only_where_it_is_not_noticed)
{
    const char *jobs = "job j b 2x4@n0,n1; job k b 1x4@n0";
    check_row(&(struct row){jobs, 4000, 64000, 8000}, 0, UINT32_MAX);
    timeless = false;
    check_row(&(struct row){jobs, 4000, 64000, 12000}, 0, UINT32_MAX);
    timeless = true;
}
END_TEST

/* Jobs of 3 devices lose 3, then 3, by a bound of 4 before the last. For 33 jobs there are no sums,
 * and the bound itself allows 4, then 3. */
START_TEST(many_jobs)
{
    char jobs[1024] = "";
    size_t length = 0;
    for (int i = 0; i < 32; i++)
        length += (size_t)snprintf(jobs + length, sizeof jobs - length, "job j%d b 1x3@n%d; ", i,
                                   i < 20 ? 0 : 1);
    check_row(&(struct row){jobs, 4000, 64000, 6000}, 0, UINT32_MAX);
    snprintf(jobs + length, sizeof jobs - length, "job k b 1x3@n1");
    check_row(&(struct row){jobs, 4000, 64000, 7000}, 0, UINT32_MAX);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loss_bounds");
    TCase *tcase = tcase_create("loss_bounds");
    tcase_add_loop_test(tcase, whole_jobs, 0, ROWS(rows));
    tcase_add_loop_test(tcase, fewer_pieces, 0, ROWS(fewer));
    tcase_add_loop_test(tcase, jobs_in_any_order, 0, ROWS(unordered));
    tcase_add_test(tcase, the_order_counts_only_where_it_is_not_noticed);
    tcase_add_test(tcase, many_jobs);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
