/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queue walks: the order of pending jobs, and that of victims with what each of them loses. */
#include "order/queue_walk.h"
#include "state/gangs.h"
#include "state/state.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

static const char *name_of(const struct story *s, uint32_t job)
{
    for (uint32_t i = 0; i < s->jobs.count; i++)
        if (s->job_ids[i].i == job)
            return s->jobs.of[i];
    return "?";
}

/* ---- pending jobs ---- */

/* The order in which all pending jobs are returned if none of them is placed. Queues have no quota
 * of CPU and memory. */
static const struct story_row pending[] = {
    {"one queue: priority, age, rank",
     "node n0 9; queue q; job a q at=3 1x1; job b q at=1 1x1; job c q prio=60 at=9 1x1;"
     "job d q at=1 1x1",
     "c b d a"},
    /* shares of 3 each: 1/3 against 2/3 against 3/3 */
    {"queues by what their first job would make of their share",
     "node n0 9; queue x gpu=0/3; queue y gpu=0/3; queue z gpu=0/3; job a x 3x1; job b y 2x1;"
     "job c z 1x1",
     "c b a"},
    {"the next job of the same queue speaks for it then", /* y: 1/3, then 3/3; x: 2/3 */
     "node n0 9; queue x gpu=0/3; queue y gpu=0/3; job a x 2x1; job b y at=5 1x1; job c y at=6 3x1",
     "b a c"},
    {"owners first, up to their quota", /* y: 2 of a quota of 2, then 3/2; x: 1/1 */
     "node n0 9; queue x; queue y gpu=2/2; job a x 1x1; job b y at=5 2x1; job c y at=6 3x1",
     "b a c"},
    {"an owner's large job does not make it starved", /* and its small one comes after it */
     "node n0 9; queue x; queue y gpu=2/2; job a x 1x1; job b y at=5 3x1; job c y at=6 2x1",
     "a b c"},
    {"priority of queues", "node n0 9; queue x prio=1; queue y prio=2; job a x 1x1; job b y 9x1",
     "b a"},
    /* ---- levels ---- */
    {"departments are compared by the first job below them", /* D: 1 (d2's) of 4, E: 2 of 4 */
     "node n0 8; queue D gpu=0/4; queue E gpu=0/4; queue d1 in=D; queue d2 in=D; queue e in=E;"
     "job a d1 4x1; job b d2 1x1; job c e 2x1",
     "b c a"},
    {"what siblings hold counts for the department, not for the leaf", /* D 3 and E 2 of 4; d1 has
                                                                          nothing */
     "node n0 9; queue D gpu=0/4; queue E gpu=0/4; queue d1 in=D; queue d2 in=D; queue e in=E;"
     "job r d2 3x1@n0*3; job s e 2x1@n0*2; job a d1 1x1; job b e 1x1",
     "b a"},
    {"three levels",
     "node n0 8; queue R; queue D in=R gpu=2; queue E in=R; queue d1 in=D; queue d2 in=D gpu=2; "
     "queue e in=E;job a e 1x1; job b d1 1x1; job c d2 2x1",
     "c b a"}, /* R alone; D is starved with either job, and in it d2 */
    {"priority of a leaf counts among its siblings only",
     "node n0 8; queue D prio=1; queue E prio=2; queue d in=D prio=9; queue e in=E prio=1; job a d "
     "1x1;"
     "job b e 1x1",
     "b a"},
    {"without a hierarchy it counts everywhere",
     "opt full_hierarchy=false; node n0 8; queue D prio=1; queue E prio=2; queue d in=D prio=9;"
     "queue e in=E prio=1;"
     "job a d 1x1; job b e 1x1",
     "a b"},
    {"elastic tasks count one by one", /* x: 1 of 4; y 2 of 4 */
     "node n0 8; queue x gpu=0/4; queue y gpu=0/4; job a x 9x1/1; job b y 2x1", "a b"},
};

START_TEST(pending_jobs_come_up_in_order)
{
    struct story s;
    story_open(&s, pending[_i].text);
    struct pc_queue_walk line = {0};
    char found[256] = "";
    size_t used = 0;
    ck_assert(pc_divide_shares(s.p));
    ck_assert(pc_walk_begin(s.p, &line));
    for (uint32_t i = 0; i < s.jobs.count; i++)
        if (s.p->cluster->jobs[s.job_ids[i].i].pending > 0)
            ck_assert(pc_walk_add(s.p, &line, s.job_ids[i].i));
    for (uint32_t job; (job = pc_walk_pop(s.p, &line)) != PC_NONE;)
        used += (size_t)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? " " : "",
                                 name_of(&s, job));
    ck_assert_msg(strcmp(found, pending[_i].expected) == 0, "%s: '%s', expected '%s'",
                  pending[_i].what, found, pending[_i].expected);
    pc_walk_free(s.p, &line);
    story_close(&s);
}
END_TEST

/* ---- victims ---- */

/* The chunks taken in sequence if all active tasks may be taken: "e/2 e/1 g/0,1". `leaf` is the
 * queue they are taken for. */
static const struct {
    const char *what, *text;
    enum pc_reach reach;
    const char *expected;
} victims[] = {
    {"one queue: low priority, above the minimum, new",
     "node n0 9; queue leaf; queue q; job a q prio=60 1x1@n0; job b q at=1 1x1@n0; job c q at=2 "
     "1x1@n0;"
     "job e q at=0 2x1/1@n0*2",
     PC_OTHERS, "e/1 c/0 b/0 e/0 a/0"},
    {"a gang at once, elastic tasks from behind",
     "node n0 9; queue leaf; queue q; job g q at=0 3x1@n0*3;"
     "job e q at=1 3x1/1@n0*3",
     PC_OTHERS, "e/2 e/1 e/0 g/0,1,2"},
    {"not non-preemptible, pending or released jobs",
     "node n0 9; queue leaf; queue q; job a q fixed 1x1@n0; job b q 1x1; job c q 1x1@n0!;"
     "job d q 2x1/1@n0,-",
     PC_OTHERS, "d/0"},
    /* ---- reach ---- */
    {"others", "node n0 9; queue leaf; queue q; job a leaf 1x1@n0; job b q 1x1@n0", PC_OTHERS,
     "b/0"},
    {"own", "node n0 9; queue leaf; queue q; job a leaf 1x1@n0; job b q 1x1@n0", PC_OWN, "a/0"},
    {"all: a loses first, its queue has more of its share", /* 2 - 1 and 1 - 1 of 1 */
     "node n0 2; queue leaf; queue q; job a leaf 1x1@n0; job c leaf 1x.5@n0:1;"
     "job b q 1x.5@n0:1",
     PC_ALL, "c/0 a/0 b/0"},
    /* ---- between queues ---- */
    /* x stays above its quota for that, whatever it has given */
    {"queues that are not starved lose before starved ones",
     "node n0 9; queue leaf; queue x gpu=1; queue y gpu=9; job a x 2x1/1@n0*2;"
     "job b y at=99 7x1@n0*7",
     PC_OTHERS, "a/1 a/0 b/0,1,2,3,4,5,6"},
    {"the queue of lower priority",
     "node n0 8; queue leaf; queue x prio=1; queue y prio=2; job a x 1x1@n0; job b y 7x1@n0*7",
     PC_OTHERS, "a/0 b/0,1,2,3,4,5,6"},
    /*
     * 4 devices each, x of a share of 3, y of 2. Less the next: 3/3 and 3/2; then 3/3 and 2/2, and
     * now y has more; 3/3 and 1/2; 2/3 and 1/2; 1/3 and 1/2; 1/3 and 0; nothing, and y had more.
     */
    {"losses count: taking from one moves it back",
     "node n0 8; queue leaf; queue x gpu=3/-/0; queue y gpu=2/-/0; job a x 1x1@n0; job b x 1x1@n0;"
     "job c x 1x1@n0; job d x 1x1@n0;"
     "job e y 1x1@n0; job f y 1x1@n0; job g y 1x1@n0; job h y 1x1@n0",
     PC_OTHERS, "h/0 g/0 d/0 c/0 f/0 b/0 e/0 a/0"},
    /* Shares of 1. Less the next job x has 0, y 1; then 0 and 0, and x had more. */
    {"the next job counts as a whole, though it loses one task after the other",
     "node n0 5; queue leaf; queue x gpu=1/-/0; queue y gpu=1/-/0; job e x 3x1/1@n0*3; job f y "
     "1x1@n0;"
     "job g y 1x1@n0",
     PC_OTHERS, "g/0 e/2 e/1 e/0 f/0"},
    {"departments lose as a whole", /* D has 3 of 3, E 3 of 3; d2 is within its quota, but not D */
     "node n0 6; queue leaf; queue D; queue E gpu=3; queue d1 in=D; queue d2 in=D gpu=2; queue e "
     "in=E;"
     "job a d1 1x1@n0; job b d2 2x1@n0*2; job c e 3x1@n0*3",
     PC_OTHERS, "a/0 b/0,1 c/0,1,2"},
};

static bool any(const void *context, uint32_t job)
{
    (void)context, (void)job;
    return true;
}

/* Takes the job's popped chunk, like the search for victims. */
static size_t take(struct story *s, struct pc_queue_walk *line, uint32_t job, char *text,
                   size_t size)
{
    struct pc_job *j = &s->p->cluster->jobs[job];
    struct pc_tasks chunk = {0};
    bool more;
    int used = snprintf(text, size, "%s/", name_of(s, job));
    ck_assert(pc_next_victims(s->p, job, &chunk, &more));
    for (uint32_t i = 0; i < chunk.count; i++) {
        struct pc_amounts gives = pc_weigh_task(s->p->cluster, job, chunk.ids[i]);
        pc_walk_taken(s->p, line, job, &gives);
        j->detail->tasks[chunk.ids[i]].popped = true;
        j->detail->counts[pc_role_of(&s->p->cluster->shapes[j->shape], chunk.ids[i])->set].popped++;
        used += snprintf(text + used, size - (size_t)used, "%s%u", i > 0 ? "," : "", chunk.ids[i]);
    }
    if (more)
        ck_assert(pc_walk_add_rest(s->p, line, job));
    pc_tasks_free(s->p, &chunk);
    return (size_t)used;
}

static void forget_popped(struct story *s)
{
    for (uint32_t i = 0; i < s->jobs.count; i++) {
        struct pc_job *j = &s->p->cluster->jobs[s->job_ids[i].i];
        const struct pc_shape *shape = &s->p->cluster->shapes[j->shape];
        for (uint32_t t = 0; j->detail != NULL && t < shape->tasks; t++)
            j->detail->tasks[t].popped = false;
        for (uint32_t set = 0; j->detail != NULL && set < shape->set_count; set++)
            j->detail->counts[set].popped = 0;
    }
}

START_TEST(victims_give_in_order)
{
    struct story s;
    story_open(&s, victims[_i].text);
    struct pc_queue_walk line = {0};
    char found[256] = "";
    size_t used = 0;
    ck_assert(pc_divide_shares(s.p));
    s.p->cluster->decision_number++;
    ck_assert(pc_walk_begin_victims(s.p, &line, story_queue(&s, "leaf").i, victims[_i].reach,
                                    (struct pc_filter){.admits = any}));
    for (uint32_t job; (job = pc_walk_pop(s.p, &line)) != PC_NONE;) {
        if (used > 0)
            found[used++] = ' ';
        used += take(&s, &line, job, found + used, sizeof found - used);
    }
    forget_popped(&s);
    ck_assert_msg(strcmp(found, victims[_i].expected) == 0, "%s: '%s', expected '%s'",
                  victims[_i].what, found, victims[_i].expected);
    pc_walk_free(s.p, &line);
    story_close(&s);
}
END_TEST

/* ---- filters ---- */

static bool only_even_priority(const void *context, uint32_t job)
{
    const struct pc_cluster *c = context;
    return c->jobs[job].priority % 2 == 0;
}

static bool every_leaf(const void *unused, uint32_t leaf)
{
    (void)unused;
    return leaf != POLICY_NO_ID;
}

/* Jobs that renewed a nomination in this decision are no victims, even if all of the leaf may be.
 */
START_TEST(jobs_that_keep_their_places_are_left_out)
{
    struct story s;
    story_open(&s, "node n0 4; queue leaf; queue q; queue r; job a q 1x1@n0; job b q 1x1@n0;"
                   "job c q 1x1@n0; job d r 1x1@n0");
    struct pc_cluster *c = s.p->cluster;
    struct pc_queue_walk line = {0};
    ck_assert(pc_divide_shares(s.p));
    c->decision_number = 2;
    const uint32_t kept = story_job(&s, "b").i;
    c->job_kept_in[story_job(&s, "a").i] = 1; /* that was before */
    c->job_kept_in[kept] = c->queues[c->jobs[kept].queue].kept_in = 2;
    ck_assert(pc_walk_begin_victims(s.p, &line, story_queue(&s, "leaf").i, PC_OTHERS,
                                    (struct pc_filter){.admits_leaf = every_leaf}));
    uint32_t found = 0;
    for (uint32_t job; (job = pc_walk_pop(s.p, &line)) != PC_NONE; found++)
        ck_assert_uint_ne(job, kept);
    ck_assert_uint_eq(found, 3);
    pc_walk_free(s.p, &line);
    story_close(&s);
}
END_TEST

/* Whatever is first in the heap, the jobs that the filter admits are returned, in order. */
START_TEST(filtered_jobs_do_not_hide_others)
{
    struct story s;
    story_open(&s, "node n0 16; queue leaf; queue q");
    for (int i = 0; i < 15; i++) {
        char line[64];
        (void)snprintf(line, sizeof line, "job j%d q prio=%d 1x1@n0", i, (i * 7) % 15);
        story_tell(&s, line);
    }
    struct pc_queue_walk line = {0};
    ck_assert(pc_divide_shares(s.p));
    s.p->cluster->decision_number++;
    ck_assert(pc_walk_begin_victims(
        s.p, &line, story_queue(&s, "leaf").i, PC_OTHERS,
        (struct pc_filter){.admits = only_even_priority, .context = s.p->cluster}));
    int32_t priority = 0;
    for (uint32_t job; (job = pc_walk_pop(s.p, &line)) != PC_NONE; priority += 2)
        ck_assert_int_eq(s.p->cluster->jobs[job].priority, priority);
    ck_assert_int_eq(priority, 16);
    pc_walk_free(s.p, &line);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("line");
    TCase *tcase = tcase_create("line");
    tcase_add_loop_test(tcase, pending_jobs_come_up_in_order, 0, ROWS(pending));
    tcase_add_loop_test(tcase, victims_give_in_order, 0, ROWS(victims));
    tcase_add_test(tcase, jobs_that_keep_their_places_are_left_out);
    tcase_add_test(tcase, filtered_jobs_do_not_hide_others);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
