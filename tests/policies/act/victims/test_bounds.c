/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Can victims on node n0 give p enough? Judged by the sizes of the tasks there, and by the victims
 * themselves. Jobs of b are victims, those of a are not. By hand.
 */
#include "act/victims/bounds.h"
#include "act/victims/victim.h"
#include "state/gangs.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#define ONES "node s0 1; node s1 1; node s2 1;"
#define TWOS "node d0 2; node d1 2;"

struct row {
    const char *what, *nodes, *jobs;
    int64_t lost; /* devices */
    bool by_sizes, by_victims;
};

static const struct row rows[] = {
    {"four ones find three places", ONES,
     "job v b 1x1@n0; job w b 1x1@n0; job x b 1x1@n0; job y b 1x1@n0; job p a 1x4", 0, false,
     false},
    {"and one of them is lost", ONES,
     "job v b 1x1@n0; job w b 1x1@n0; job x b 1x1@n0; job y b 1x1@n0; job p a 1x4", 1, true, true},
    {"four ones find four places", ONES "node s3 1;",
     "job v b 1x1@n0; job w b 1x1@n0; job x b 1x1@n0; job y b 1x1@n0; job p a 1x4", 0, true, true},
    {"twos do not use single devices", ONES "node s3 1;",
     "job v b 1x2@n0; job w b 1x2@n0; job p a 1x4", 0, false, false},
    {"two devices stay free, one is lost", "", "job v b 1x2@n0; job p a 1x4", 1, false, false},
    {"two devices stay free, two may be lost, but v has its turn first", "",
     "job v b 1x2@n0; job p a 1x4", 2, true, false},
    {"a two finds a place, one of them", "node d0 2;",
     "job v b 1x2@n0; job w b 1x2@n0; job p a 1x4", 0, false, false},
    {"two twos find places", TWOS, "job v b 1x2@n0; job w b 1x2@n0; job p a 1x4", 0, true, true},
    {"a one and a two: sizes do not tell whose they are", ONES "node s3 1;" TWOS,
     "job v a 1x1@n0; job w b 1x2@n0; job x a 1x1@n0; job p a 2x4", 4, true, false},
    {"shares are not told by sizes", ONES, "job v b 1x.5@n0:0; job w b 1x2@n0; job p a 1x4", 0,
     true, false},
    {"a recorded victim is counted as well", ONES "node n1 2; node d0 2;",
     "job r b 1x2@n1; job v b 1x2@n0; job p a 2x2", 0, true, true},
    {"and has no place", ONES "node n1 2;", "job r b 1x2@n1; job v b 1x3@n0; job p a 2x2", 0, false,
     false},
};

static int64_t may_lose;

static struct pc_bound bound(const struct pc_search *s, uint32_t bearer)
{
    (void)s, (void)bearer;
    return (struct pc_bound){
        .milli = may_lose, .alone = may_lose, .before_last = may_lose > 0 ? INT64_MAX : 0};
}

/* Lists the recorded victims and the jobs of b on the node. */
static void list(struct pc_search *search, const struct story *s, uint32_t node)
{
    struct pc_cluster *c = search->c;
    ck_assert(pc_list_recorded(search));
    for (uint32_t job = 0; job < c->job_count; job++)
        if (c->jobs[job].queue == story_queue(s, "b").i &&
            pc_stands_on(&pc_task(c, job, 0)->place) == node)
            ck_assert(pc_list_victim(search, &c->evicted, job, 0));
}

START_TEST(sizes_and_victims)
{
    static const struct pc_purpose purpose = {.reach = PC_OTHERS, .most_lost = bound};
    const struct row *row = &rows[_i];
    char text[1024];
    struct story s;
    snprintf(text, sizeof text, "node n0 4; %s queue a gpu=8; queue b gpu=8; %s", row->nodes,
             row->jobs);
    story_open(&s, text);
    struct pc_cluster *c = s.p->cluster;
    struct pc_search search = {.p = s.p, .c = c, .purpose = &purpose, .job = story_job(&s, "p").i};
    ck_assert(pc_next_tasks(s.p, search.job, &c->solving));
    search.asks = pc_amounts_of(c, search.job, &c->solving, false);
    if (strstr(row->jobs, "job r ") != NULL)
        ck_assert(pc_list_victim(&search, &c->recorded, story_job(&s, "r").i, 0));
    may_lose = row->lost * POLICY_WHOLE;
    c->step_number++;
    ck_assert_msg(pc_singles_give_enough(&search, &c->solving, 0, may_lose) == row->by_sizes, "%s",
                  row->what);
    ck_assert_uint_eq(c->evicted.count, c->recorded.count);
    list(&search, &s, 0);
    ck_assert_msg(pc_gives_enough(&search, &c->solving) == row->by_victims, "%s", row->what);
    ck_assert(row->by_sizes || !row->by_victims); /* sizes refuse only what victims do */
    c->recorded.count = c->evicted.count = 0;
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("bounds");
    TCase *tcase = tcase_create("bounds");
    tcase_add_loop_test(tcase, sizes_and_victims, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
