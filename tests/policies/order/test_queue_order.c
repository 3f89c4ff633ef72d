/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The queue served first: each key of the queue order alone, against all later keys; the same for
 * victims, in reverse order; and the order of jobs.
 */
#include "order/queue_walk.h"
#include "state/state.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A side is described by its differences from the default: quota, fair (share), may (have), has,
 * asks, gives in thousandths of devices and cores and MiB, priority, created. By default it has
 * half of what it may have, which is its quota and its share:
 */
static const char usual[] = "quota=4000/4000/4000 fair=4000/4000/4000 may=4000/4000/4000 "
                            "has=2000/2000/2000 asks=0/0/0 gives=0/0/0 prio=100 created=50 rank=5";

struct side {
    struct pc_amounts quota, fair, may, has, asks, gives;
    int64_t prio, created, rank;
};

static const struct {
    const char *name;
    size_t at, count;
} fields[] = {
    {"quota", offsetof(struct side, quota), 3}, {"fair", offsetof(struct side, fair), 3},
    {"may", offsetof(struct side, may), 3},     {"has", offsetof(struct side, has), 3},
    {"asks", offsetof(struct side, asks), 3},   {"gives", offsetof(struct side, gives), 3},
    {"prio", offsetof(struct side, prio), 1},   {"created", offsetof(struct side, created), 1},
    {"rank", offsetof(struct side, rank), 1},
};

static void read_side(struct side *side, const char *text)
{
    while (*text != '\0') {
        size_t n = strcspn(text, "=");
        size_t row = 0;
        while (strncmp(fields[row].name, text, n) != 0 || fields[row].name[n] != '\0')
            ck_assert_uint_lt(++row, sizeof fields / sizeof *fields);
        int64_t values[3] = {0, 0, 0};
        text += n;
        for (size_t i = 0; i < fields[row].count; i++) {
            char *end;
            values[i] = strtoll(text + 1, &end, 10);
            text = end;
        }
        memcpy((char *)side + fields[row].at, values, fields[row].count * sizeof *values);
        text += strspn(text, " ");
    }
}

/* `first` is served before `second` and loses after it. Every later key says the opposite. */
static const struct {
    const char *what, *first, *second;
    bool unfair; /* with the option fairness off */
} rows[] = {
    /* 1. not over the fair share before over it */
    {"over the share in all resources", "has=5000/5000/4000",
     "has=4001/4001/4001 prio=200 created=0", false},
    {"over in two resources is not over", "quota=0/0/0 has=5000/5000/4000 prio=200", "quota=0/0/0",
     false},
    {"the request does not count in the first key",
     "has=4000/4000/4000 asks=4000/4000/4000 prio=200", "has=4000/4000/4000 asks=1/1/1", false},
    /* 2. starved before others */
    {"starved up to exactly the quota", "asks=2000/2000/2000", "asks=1/1/2001 prio=200 created=0",
     false},
    {"no quota is ever reached that has no bound", "quota=-1/-1/-1 has=3999/3999/3999 prio=1",
     "quota=-1/1999/-1 prio=9", false},
    {"victims: what they lose does not make a queue starved", "has=4000/4000/4000 prio=1",
     "has=4001/0/0 gives=4001/0/0 prio=9 created=0", false},
    /* 3. priority of the queue */
    {"priority", "has=3000/3000/3000 prio=101 created=9", "has=1000/1000/1000 created=0", false},
    /* 4. using nothing that is not allocatable at all. The shares say 2000 against 1000. */
    {"asks for what it may have nothing of", "quota=0/0/0 may=1/4000/4000 has=2000/0/0",
     "quota=0/0/0 may=4000/0/4000 has=1/0/0 asks=0/1/0 created=0", false},
    {"has what it may have nothing of", "quota=0/0/0 may=1/4000/4000 has=2000/0/0",
     "quota=0/0/0 may=4000/4000/0 has=1/0/1 created=0", false},
    /* a half against a half and a bit */
    {"may have nothing of what it does not touch", "may=4000/0/4000 has=2000/0/0",
     "has=2001/0/0 created=0", false},
    /* 5. the dominant share with the request */
    {"dominant share with the next job", "quota=0/0/0 has=3000/0/0 asks=500/0/0",
     "quota=0/0/0 has=2000/0/0 asks=2000/0/0 created=0", false},
    {"the largest share dominates", "has=3200/0/0", "has=400/0/3600 created=0", false},
    {"no bound reads as the cluster's 8000", "may=-1/4000/4000 has=4000/0/0 created=90",
     "has=2400/0/0", false},
    {"and not as more", /* 6/8 against 2.4/4 */
     "has=2400/0/0 created=90", "may=-1/4000/4000 quota=-1/-1/-1 has=6000/0/0", false},
    {"of nothing, devices count a thousandfold", "quota=0/0/0 may=0/4000/4000 has=900/0/0",
     "quota=0/0/0 may=4000/0/4000 has=0/1/0 created=0", false},
    {"victims: what they lose is subtracted", "quota=0/0/0 has=4000/0/0 gives=3000/0/0",
     "quota=0/0/0 has=2000/0/0 gives=500/0/0 created=0", false},
    /* 1000 * 4001 = 4001000 against 1334 * 3000 = 4002000 */
    {"shares compare exactly", "may=3000/4000/4000 has=1000/0/0",
     "may=4001/4000/4000 has=1334/0/0 created=0", false},
    /* 6. the dominant share without it */
    {"dominant share without the next job", "quota=0/0/0 has=1000/0/0 asks=2000/0/0",
     "quota=0/0/0 may=4000/4000/3000 has=2000/0/0 asks=1000/0/0 created=0", false},
    /* 7. the smaller allowance */
    {"weaker in one resource", "may=4000/4000/3000 has=2000/0/0", "has=2000/0/0 created=0", false},
    {"no bound is more than any", "has=2000/0/0", "may=4000/-1/4000 has=2000/0/0 created=0", false},
    {"weaker in one and stronger in another is neither", "has=2000/0/0 created=0",
     "may=4000/5000/3000 has=2000/0/0", false},
    /* 8. age */
    {"created earlier", "created=1", "created=2", false},
    {"equal but for the rank", "rank=1", "rank=2", false},
    /* without fairness only priority and age are left */
    {"unfair: priority", "has=9000/9000/9000 quota=0/0/0 prio=101 created=9", "has=0/0/0 created=0",
     true},
    {"unfair: age", "has=9000/9000/9000 quota=0/0/0 created=9", "has=0/0/0 created=10", true},
};

static struct pc_queue queue_of(const struct side *s)
{
    return (struct pc_queue){.exists = true,
                             .leaf = true,
                             .parent = POLICY_NO_ID,
                             .rank = (uint32_t)s->rank,
                             .priority = (int32_t)s->prio,
                             .created = s->created,
                             .quota = s->quota,
                             .fair = s->fair,
                             .allocatable = s->may,
                             .allocated = s->has};
}

START_TEST(queues_are_compared_by_key)
{
    struct story s;
    story_open(&s, rows[_i].unfair ? "opt fairness=false" : "");
    struct pc_cluster *c = s.p->cluster;
    c->capacity = (struct pc_amounts){{8000, 8000, 8000}};
    struct side sides[2];
    read_side(&sides[0], usual);
    sides[1] = sides[0];
    read_side(&sides[0], rows[_i].first);
    read_side(&sides[1], rows[_i].second);
    struct pc_queue first = queue_of(&sides[0]);
    struct pc_queue second = queue_of(&sides[1]);
    struct pc_standing a = pc_stand(s.p, &first, &sides[0].asks, &sides[0].gives);
    struct pc_standing b = pc_stand(s.p, &second, &sides[1].asks, &sides[1].gives);
    ck_assert_msg(pc_compare_queues(s.p, &a, &b) < 0, "%s", rows[_i].what);
    ck_assert_msg(pc_compare_queues(s.p, &b, &a) > 0, "%s", rows[_i].what);
    c->capacity = (struct pc_amounts){{0, 0, 0}};
    story_close(&s);
}
END_TEST

/* b has fewer devices and more cores and memory, which decides the order where their amounts are
 * known everywhere. */
static const struct story_row unknown_rows[] = {
    {"CPU that is not modelled does not order queues",
     "node n0 4; queue a gpu=0; queue b gpu=0; job v a 2x1+c1@n0*2; job w b 1x1+c8@n0; job x a "
     "1x1+c1; job y b 1x1+c1",
     "y/0@n0"},
    {"memory that is not modelled does not either",
     "node n0 4; queue a gpu=0; queue b gpu=0; job v a 2x1+r1@n0*2; job w b 1x1+r800@n0; job x a "
     "1x1+r1; job y b 1x1+r1",
     "y/0@n0"},
    {"nor where that of one node is not known",
     "node n0 4; node n1 0 cpu=10; queue a gpu=0; queue b gpu=0;"
     "job v a 2x1+c1@n0*2; job w b 1x1+c8@n0; job x a 1x1+c1; job y b 1x1+c1",
     "y/0@n0"},
    /* memory without a quota: no queue is starved */
    {"a limit is known all the same: 9 of 9 cores against 3 of 4 devices",
     "node n0 4; queue a gpu=- mem=0; queue b gpu=- cpu=-/9/1 mem=0; job v a 2x1+c1+r1@n0*2; job w "
     "b 1x1+c8+r1@n0;job x a 1x1+c1; job y b 1x1+c1",
     "x/0@n0"},
    {"where it is known it counts: 9 of 11 cores against 3 of 4 devices",
     "node n0 4 cpu=11; queue a gpu=- mem=0; queue b gpu=- mem=0; job v a 2x1+c1+r1@n0*2; job w b "
     "1x1+c8+r1@n0;job x a 1x1+c1; job y b 1x1+c1",
     "x/0@n0"},
};

START_TEST(unknown_amounts_decide_no_order)
{
    story_expects(unknown_rows[_i].text, unknown_rows[_i].expected, unknown_rows[_i].what);
}
END_TEST

/* ---- jobs ---- */

/* x comes before y among pending jobs; `victims`: in the order whose reverse is that of victims. */
static const struct {
    const char *what, *text;
    bool victims;
} job_rows[] = {
    {"priority before all", "job y q 1x1; job x q prio=51 4x1/1@n0*3", false},
    {"below the minimum before at it", "job y q prio=50 3x1/2@n0*2; job x q 3x1/2@n0", false},
    {"at the minimum before above it", "job y q 4x1/2@n0*3; job x q 4x1/2@n0*2", false},
    {"below the minimum before above it", "job y q 4x1/2@n0*3; job x q 2x1", false},
    {"one pod set below counts, whatever the others",
     "job y q 3x1/2@n0*2; job x q 4x1/1@n0*3 2x1/2@n0", false},
    {"one pod set above counts, if none is below",
     "job y q 2x1/1@n0 3x1/1@n0*2; job x q 2x1/1@n0 3x1/1@n0", false},
    {"older", "job y q at=2 1x1; job x q at=1 1x1", false},
    {"rank", "job x q at=1 1x1; job y q at=1 1x1", false},
    {"without priorities the older",
     "opt priorities=false; job y q prio=99 at=2 1x1; job x q prio=1 at=1 1x1", false},
    {"without priorities elastic jobs still come last",
     "opt priorities=false; job y q prio=99 at=1 4x1/1@n0*2; job x q prio=1 at=2 4x1/1@n0", false},
    {"victims: above the minimum loses before at it",
     "job y q at=1 4x1/2@n0*3; job x q at=2 4x1/2@n0*2", true},
    {"victims: priority before elasticity", "job y q prio=49 2x1@n0*2; job x q prio=50 3x1/1@n0*3",
     true},
    {"victims: newer loses before older", "job y q at=2 1x1@n0; job x q at=1 1x1@n0", true},
};

START_TEST(jobs_are_compared_by_key)
{
    struct story s;
    char text[512];
    const char *rest = job_rows[_i].text;
    size_t options = strncmp(rest, "opt", 3) == 0 ? strcspn(rest, ";") + 1 : 0;
    (void)snprintf(text, sizeof text, "%.*s node n0 8; queue q gpu=8; %s", (int)options, rest,
                   rest + options);
    story_open(&s, text);
    uint32_t x = story_job(&s, "x").i;
    uint32_t y = story_job(&s, "y").i;
    ck_assert_msg(pc_compare_jobs(s.p, x, y, job_rows[_i].victims) < 0, "%s", job_rows[_i].what);
    ck_assert_msg(pc_compare_jobs(s.p, y, x, job_rows[_i].victims) > 0, "%s", job_rows[_i].what);
    story_close(&s);
}
END_TEST

/* Tasks already taken from a victim do not make it elastic any more. */
START_TEST(popped_tasks_are_gone)
{
    struct story s;
    story_open(&s, "node n0 8; queue q gpu=8; job x q at=1 2x1@n0*2; job y q at=2 3x1/2@n0*3");
    uint32_t x = story_job(&s, "x").i;
    uint32_t y = story_job(&s, "y").i;
    struct pc_job *j = &s.p->cluster->jobs[y];
    j->detail->tasks[2].popped = true;
    j->detail->counts[0].popped = 1;
    ck_assert_int_lt(pc_compare_jobs(s.p, x, y, true), 0); /* both at their minimum, x older */
    ck_assert_int_lt(pc_compare_jobs(s.p, x, y, false), 0);
    j->key.minor = 0;
    ck_assert_int_gt(pc_compare_jobs(s.p, x, y, true), 0);
    ck_assert_int_lt(pc_compare_jobs(s.p, x, y, false), 0); /* y is above its minimum there */
    j->detail->tasks[2].popped = false;
    j->detail->counts[0].popped = 0;
    s.p->cluster->jobs[y].key.minor = STORY_NOW - 1000000 + 2000;
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue order");
    TCase *tcase = tcase_create("queue order");
    tcase_add_loop_test(tcase, queues_are_compared_by_key, 0, ROWS(rows));
    tcase_add_loop_test(tcase, unknown_amounts_decide_no_order, 0, ROWS(unknown_rows));
    tcase_add_loop_test(tcase, jobs_are_compared_by_key, 0, ROWS(job_rows));
    tcase_add_test(tcase, popped_tasks_are_gone);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
