/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sessions that searches must not take, and what is free while a job is held back; by hand. */
#include "act/victims/reserves.h"
#include "state/gangs.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

/* Of q's sessions a, b and c, each of a device, two are reserved. */
#define TWO                                                                                        \
    "node n0 8; queue q gpu=4 keeps=2; queue r gpu=4; job a q build 1x1@n0; job b q build 1x1@n0;" \
    "job t q 1x1@n0; job p r 1x2; job s q build 1x1; job u q 1x1; job v r build 1x1;"
#define THREE TWO "job c q build 1x1@n0"

static struct pc_search search_of(const struct story *s, const char *job)
{
    struct pc_cluster *c = s->p->cluster;
    struct pc_search search = {.p = s->p, .c = c, .job = story_job(s, job).i};
    ck_assert(pc_next_tasks(s->p, search.job, &c->solving));
    search.asks = pc_amounts_of(c, search.job, &c->solving, false);
    return search;
}

static const struct row {
    const char *story, *job, *victim;
    bool kept;
} rows[] = {
    {TWO, "p", "a", true},    {TWO, "v", "a", true}, /* a session of another queue */
    {TWO, "u", "a", true},                           /* the queue's own job that is no session */
    {TWO, "s", "a", false},                          /* its own session */
    {TWO, "p", "t", false},                          /* no session */
    {THREE, "p", "a", false},                        /* one of the three may go */
};

START_TEST(sessions_are_kept)
{
    struct story s;
    story_open(&s, rows[_i].story);
    const struct pc_search search = search_of(&s, rows[_i].job);
    ck_assert(pc_is_kept(&search, story_job(&s, rows[_i].victim).i) == rows[_i].kept);
    story_close(&s);
}
END_TEST

/* Evicts these jobs, all of one task, on trial. */
static void evict(struct pc_search *search, const struct story *s, const char *jobs)
{
    struct pc_cluster *c = search->c;
    c->evicted.count = 0;
    for (; *jobs != '\0'; jobs++) {
        const char name[2] = {*jobs, '\0'};
        ck_assert(pc_list_victim(search, &c->evicted, story_job(s, name).i, 0));
        ck_assert(pc_evict_on_trial(search, &c->evicted.of[c->evicted.count - 1]));
    }
}

static void take_back(struct pc_cluster *c, uint32_t mark)
{
    pc_txn_rollback(c, mark);
    for (uint32_t i = 0; i < c->evicted.count; i++)
        pc_task_at(c, c->evicted.of[i].job, 0)->trial = false;
    c->evicted.count = 0;
}

static const struct trial {
    const char *job, *lost;
    bool leaves;
} trials[] = {
    {"p", "", true},    {"p", "c", true},                     /* one more than reserved */
    {"p", "ca", false}, {"p", "tc", true}, {"s", "ca", true}, /* its own */
    {"u", "ca", false},
};

START_TEST(a_trial_leaves_what_is_reserved)
{
    struct story s;
    story_open(&s, THREE);
    struct pc_search search = search_of(&s, trials[_i].job);
    const uint32_t mark = pc_txn_mark(search.c);
    evict(&search, &s, trials[_i].lost);
    ck_assert(pc_leaves_sessions(&search) == trials[_i].leaves);
    take_back(search.c, mark);
    story_close(&s);
}
END_TEST

/* p requests two devices, and four are free. */
START_TEST(a_job_held_back_takes_only_what_others_lose)
{
    static const char *const lost[] = {"", "c", "ct"};
    for (int i = 0; i < 6; i++) {
        struct story s;
        story_open(&s, THREE);
        struct pc_search search = search_of(&s, "p");
        struct pc_cluster *c = search.c;
        const bool held_back = i % 2 == 0;
        c->decision_number++;
        c->classes[c->jobs[search.job].class].held_back_in = held_back ? c->decision_number : 0;
        const uint32_t mark = pc_txn_mark(c);
        evict(&search, &s, lost[i / 2]);
        ck_assert(pc_leaves_plan(&search) == (!held_back || i / 2 == 2));
        take_back(c, mark);
        story_close(&s);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reserves");
    TCase *tcase = tcase_create("reserves");
    tcase_add_loop_test(tcase, sessions_are_kept, 0, ROWS(rows));
    tcase_add_loop_test(tcase, a_trial_leaves_what_is_reserved, 0, ROWS(trials));
    tcase_add_test(tcase, a_job_held_back_takes_only_what_others_lose);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
