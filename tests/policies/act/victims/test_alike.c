/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which jobs are alike as victims, and which trials tell about all of them. That searches decide
 * the same with and without this is tested on random fleets: property/test_wanted_random.c.
 */
#include "act/victims/alike.h"
#include "state/nodes.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* g1, g2 and g3 are gangs of b on nodes of their own; the others differ from them. */
#define STORY                                                                                      \
    "node n0 4; node n1 4; node n2 4; node n3 4; node n4 4; node n5 4; node n6 4 cpu=8;"           \
    "node n7 4 cpu=8; node n9 4; node n10 4; node n11 4 label=1:1; node n12 4;"                    \
    "node n13 4; queue a gpu=8; queue b gpu=8; queue c gpu=8;"                                     \
    "job g1 b prio=60 2x4@n0,n1; job g2 b prio=50 2x4@n2,n3; job g3 b prio=40 2x4@n4,n5;"          \
    "job cpus b 2x4@n6,n7; job small b 2x2@n9,n10; job other c 2x4@n12,n13;"                       \
    "job label b 1x4+k1:1@n11; job p a 3x4; job q a 2x2"

static const struct pc_purpose others = {.reach = PC_OTHERS};

static struct pc_search search_of(const struct story *s, const char *job)
{
    return (struct pc_search){
        .p = s->p, .c = s->p->cluster, .purpose = &others, .job = story_job(s, job).i};
}

static void begin(struct pc_search *search, uint32_t tasks)
{
    const struct pc_tasks some = {.count = tasks};
    pc_alike_begin(search, &some);
}

static void record(struct pc_search *search, uint32_t job, uint32_t tasks)
{
    for (uint32_t task = 0; task < tasks; task++)
        ck_assert(pc_list_victim(search, &search->c->recorded, job, task));
}

static bool are_alike(struct pc_search *search, uint32_t job, uint32_t other)
{
    struct pc_alikes known = {.count = 0};
    struct pc_alike a, b;
    if (!pc_alike_describe(search, job, &a) || !pc_alike_describe(search, other, &b))
        return false;
    ck_assert_uint_eq(pc_alike_find(&known, &a), PC_NONE);
    ck_assert_uint_eq(pc_alike_add(&known, &a), 0);
    ck_assert_uint_eq(pc_alike_find(&known, &a), 0);
    return pc_alike_find(&known, &b) != PC_NONE;
}

static const struct pair {
    const char *what, *job, *other, *recorded;
    bool alike;
} pairs[] = {
    {"gangs on equal nodes", "g1", "g2", NULL, true},
    {"the recorded gang comes before both", "g2", "g3", "g1", true},
    {"the recorded gang comes between them", "g1", "g3", "g2", false},
    {"the recorded gang is in another queue", "g1", "g2", "other", true},
    {"another queue", "g1", "other", NULL, false},
    {"smaller tasks", "g1", "small", NULL, false},
    {"nodes with a number of cores", "g1", "cpus", NULL, false},
    {"a job for certain nodes", "g1", "label", NULL, false},
};

START_TEST(jobs_are_alike)
{
    struct story s;
    const struct pair *pair = &pairs[_i];
    story_open(&s, STORY);
    struct pc_search search = search_of(&s, "p");
    if (pair->recorded != NULL)
        record(&search, story_job(&s, pair->recorded).i, 2);
    begin(&search, 2);
    ck_assert_msg(are_alike(&search, story_job(&s, pair->job).i, story_job(&s, pair->other).i) ==
                      pair->alike,
                  "%s", pair->what);
    search.c->recorded.count = 0;
    story_close(&s);
}
END_TEST

/* What is on the nodes of the two gangs x and y, whose nodes have 4 devices and 8 cores. */
static const struct guest {
    const char *what, *story;
    bool alike;
} guests[] = {
    {"nothing else", "job x b 1x4@n0; job y b 1x4@n1", true},
    {"all cores", "job x b 1x4+c8@n0; job y b 1x4+c8@n1", true},
    {"a job without devices", "job x b 1x4@n0; job y b 1x4@n1; job z c 1xc1@n1", false},
    {"one that is leaving", "job x b 1x4@n0; job y b 1x4@n1; job z c 1xc1@n1!", false},
    {"a victim that is leaving", "job x b 1x4@n0; job y b 1x4@n1!", false},
    {"a job that must not be evicted", "job x b 1x4@n0; job y b fixed 1x4@n1", false},
    {"a gang with a task to come", "job x b 1x4@n0; job y b 2x4@n1", false},
    {"an elastic gang", "job x b 1x4@n0; job y b 2x4/1@n1,n2", false},
};

START_TEST(a_gang_has_its_nodes_for_itself)
{
    char text[512];
    struct story s;
    snprintf(text, sizeof text,
             "node n0 4 cpu=8; node n1 4 cpu=8; node n2 4 cpu=8; queue a gpu=4; queue b gpu=4;"
             "queue c gpu=4; job p a 2x4; %s",
             guests[_i].story);
    story_open(&s, text);
    struct pc_search search = search_of(&s, "p");
    begin(&search, 2);
    ck_assert_msg(are_alike(&search, story_job(&s, "x").i, story_job(&s, "y").i) ==
                      guests[_i].alike,
                  "%s", guests[_i].what);
    story_close(&s);
}
END_TEST

/* Steps in which trials tell about other jobs. `recorded` has two tasks, on n0 and n1. */
static const struct step {
    const char *what, *options, *job, *recorded;
    bool compares, skips;
} steps[] = {
    {"a gang of whole nodes", "", "job p a 3x4", NULL, true, true},
    {"a whole node is free", "", "node n2 4; job p a 3x4", NULL, true, true},
    {"a whole node is being released", "", "node n2 4; job q b 1x4@n2!; job p a 3x4", NULL, true,
     true},
    {"two unequal nodes are free", "", "node n2 4; node n3 4 cpu=8; job p a 3x4", NULL, true,
     false},
    {"half a node is free", "", "node n2 8; job q b 1x4@n2; job p a 3x4", NULL, true, false},
    {"a node is free but for a task without devices", "",
     "node n2 4 cpu=8; job q b 1xc1@n2; job p a 3x4", NULL, true, false},
    {"a gang recorded", "", "job p a 3x4", "job r b 2x4@n0,n1", true, true},
    {"smaller tasks recorded", "", "job p a 3x4", "job r b 2x2@n0,n1", true, true},
    {"tasks of two sizes recorded", "", "job p a 3x4", "job r b 1x2@n0 &1x4@n1", false, false},
    {"shares recorded", "", "job p a 3x4", "job r b 2x.5@n0:0,n1:0", false, false},
    {"an elastic job recorded", "", "job p a 3x4", "job r b 2x2/1@n0,n1", false, false},
    {"tasks of two sizes", "", "job p a 2x4 1x2", NULL, false, false},
    {"only with packing", "gpu_placement=spread", "job p a 3x4", NULL, true, false},
    {"not if moved jobs count as lost", "consolidating_reclaim=false", "job p a 3x4", NULL, true,
     false},
};

START_TEST(a_step_allows_it)
{
    char text[512];
    struct story s;
    snprintf(text, sizeof text,
             "opt seed=1 %s; node n0 4; node n1 4; queue a gpu=4; queue b gpu=4; %s; %s",
             steps[_i].options, steps[_i].job,
             steps[_i].recorded != NULL ? steps[_i].recorded : "job f b 2x1@n0,n1");
    story_open(&s, text);
    struct pc_search search = search_of(&s, "p");
    if (steps[_i].recorded != NULL)
        record(&search, story_job(&s, "r").i, 2);
    begin(&search, 2);
    ck_assert_msg(search.compares == steps[_i].compares, "%s", steps[_i].what);
    ck_assert_msg(search.skips_alike == steps[_i].skips, "%s", steps[_i].what);
    begin(&search, 1);
    ck_assert(!search.skips_alike);
    search.c->exhaustive = true;
    begin(&search, 2);
    ck_assert(!search.compares && !search.skips_alike);
    search.c->recorded.count = 0;
    story_close(&s);
}
END_TEST

/*
 * A trial in which g has left n0, a node like the ones of x, and the small job v has left n1 and is
 * nominated elsewhere.
 */
static const struct place {
    const char *what, *wants, *rest, *to;
    bool interchangeable;
} places[] = {
    {"where others stay", "1", "job u b fixed 1x3@n2", "n2", true},
    {"nowhere", "1", "", NULL, true},
    {"where something is leaving", "1", "job u b fixed 1x2@n2; job w b 1x1@n2!", "n2", false},
    {"where it needs none of the cores that are leaving", "1",
     "job u b fixed 1x3@n2; job w b 1xc8@n2!", "n2", true},
    {"where it waits for cores", "1+c1", "job u b fixed 1x3@n2; job w b 1xc8@n2!", "n2", false},
    {"where it needs only cores that are idle", "1+c1", "job u b fixed 1x3@n2; job w b 1xc7@n2!",
     "n2", true},
    {"where all has left", "1", "", "n0", false},
    {"where nothing was", "1", "", "n2", false},
};

START_TEST(small_victims_go_where_others_stay)
{
    const struct place *row = &places[_i];
    char text[512];
    struct story s;
    snprintf(text, sizeof text,
             "node n0 4 cpu=8; node n1 4 cpu=8; node n2 4 cpu=8; node n3 4 cpu=8; queue a gpu=4;"
             "queue b gpu=4; job g b 1x4@n0!; job v b 1x%s@n1!; job k b fixed 1x3@n1;"
             "job x b 1x4@n3; job p a 2x4; %s",
             row->wants, row->rest);
    story_open(&s, text);
    struct pc_search search = search_of(&s, "p");
    struct pc_cluster *c = search.c;
    struct pc_alike x;
    const uint32_t v = story_job(&s, "v").i;
    begin(&search, 2);
    ck_assert(pc_alike_describe(&search, story_job(&s, "x").i, &x));
    c->evicted.count = 0;
    ck_assert(pc_list_victim(&search, &c->evicted, story_job(&s, "g").i, 0));
    ck_assert(pc_list_victim(&search, &c->evicted, v, 0));
    search.interchangeable = true;
    pc_alike_evicted(&search);
    ck_assert(search.interchangeable);
    struct pc_place there = pc_task(c, v, 0)->place;
    if (row->to != NULL)
        there.nominated = story_node(&s, row->to).i;
    const uint32_t mark = pc_txn_mark(c);
    ck_assert(pc_txn_move(s.p, v, 0, &there));
    pc_alike_placed(&search);
    ck_assert_msg(search.interchangeable == row->interchangeable, "%s", row->what);
    pc_txn_rollback(c, mark);
    story_close(&s);
}
END_TEST

/* The same if the node that g has left is not like those of x. */
static const struct left {
    const char *what, *node, *rest;
} lefts[] = {
    {"a task without devices stays", "cpu=8", "job u b fixed 1xc1@n0"},
    {"more cores", "cpu=9", ""},
    {"another type", "cpu=8 type=2", ""},
    {"another pool", "cpu=8 pool=1", ""},
};

START_TEST(nodes_that_victims_leave_are_equal)
{
    char text[512];
    struct story s;
    snprintf(text, sizeof text,
             "node n0 4 %s; node n3 4 cpu=8; queue a gpu=4; queue b gpu=4; job g b 1x4@n0!;"
             "job x b 1x4@n3; job p a 2x4; %s",
             lefts[_i].node, lefts[_i].rest);
    story_open(&s, text);
    struct pc_search search = search_of(&s, "p");
    struct pc_alike x;
    begin(&search, 2);
    search.vacant_count = 0; /* as when g has not left yet */
    ck_assert(pc_alike_describe(&search, story_job(&s, "x").i, &x));
    search.c->evicted.count = 0;
    ck_assert(pc_list_victim(&search, &search.c->evicted, story_job(&s, "g").i, 0));
    search.interchangeable = true;
    pc_alike_evicted(&search);
    ck_assert_msg(!search.interchangeable, "%s", lefts[_i].what);
    story_close(&s);
}
END_TEST

/* Queue c depends on pool 0, so the jobs of b prefer pool 1, even to a fuller node. */
START_TEST(a_queue_that_prefers_pools_is_not_compared)
{
    static const char fleet[] = "opt actions=allocate; node n0 4 pool=0; node n1 4 pool=0;"
                                "node n2 4 pool=1; node n3 4 pool=1; queue a gpu=8; queue b gpu=8;"
                                "job x b 1x4@n2; job y b 1x4@n3; job f a fixed 2x4@n0,n1;"
                                "job p a fixed 3x4";
    for (int prefers = 0; prefers < 2; prefers++) {
        char text[512];
        struct story s;
        snprintf(text, sizeof text, "%s; %s", fleet, prefers ? "queue c gpu=8 pools=0" : "");
        story_open(&s, text);
        story_decides(&s, "", "three nodes are not free");
        struct pc_search search = search_of(&s, "p");
        begin(&search, 2);
        ck_assert(are_alike(&search, story_job(&s, "x").i, story_job(&s, "y").i) == !prefers);
        record(&search, story_job(&s, "x").i, 1);
        begin(&search, 2);
        ck_assert(search.compares == !prefers);
        search.c->recorded.count = 0;
        story_close(&s);
    }
}
END_TEST

START_TEST(the_latest_are_known)
{
    struct pc_alikes known = {.count = 0};
    for (uint32_t shape = 0; shape <= PC_ALIKES; shape++)
        ck_assert_uint_eq(pc_alike_add(&known, &(struct pc_alike){.shape = shape}),
                          shape % PC_ALIKES);
    ck_assert_uint_eq(pc_alike_find(&known, &(struct pc_alike){.shape = 0}), PC_NONE);
    ck_assert_uint_eq(pc_alike_find(&known, &(struct pc_alike){.shape = 1}), 1);
    ck_assert_uint_eq(pc_alike_find(&known, &(struct pc_alike){.shape = PC_ALIKES}), 0);
    ck_assert_uint_eq(pc_alike_find(&known, &(struct pc_alike){.shape = 1, .before = 1}), PC_NONE);
    ck_assert_uint_eq(pc_alike_find(&known, &(struct pc_alike){.shape = 1, .leaf = 1}), PC_NONE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("alike");
    TCase *tcase = tcase_create("alike");
    tcase_add_loop_test(tcase, jobs_are_alike, 0, sizeof pairs / sizeof *pairs);
    tcase_add_loop_test(tcase, a_gang_has_its_nodes_for_itself, 0, sizeof guests / sizeof *guests);
    tcase_add_loop_test(tcase, a_step_allows_it, 0, sizeof steps / sizeof *steps);
    tcase_add_loop_test(tcase, small_victims_go_where_others_stay, 0,
                        sizeof places / sizeof *places);
    tcase_add_loop_test(tcase, nodes_that_victims_leave_are_equal, 0, sizeof lefts / sizeof *lefts);
    tcase_add_test(tcase, a_queue_that_prefers_pools_is_not_compared);
    tcase_add_test(tcase, the_latest_are_known);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
