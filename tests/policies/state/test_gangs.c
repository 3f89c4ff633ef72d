/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The next tasks of a job: to place, to evict, and their amounts. */
#include "state/gangs.h"
#include "state/state.h"
#include "state/tasks.h"
#include "tests/lib/harness.h"
#include "tests/lib/quota_story.h"

#include <stdio.h>
#include <string.h>

static void open_job(struct story *s, const char *sets)
{
    char text[256];
    (void)snprintf(text, sizeof text, "node n0 40; queue q; job x q %s", sets);
    story_open(s, text);
}

static void list(const struct pc_tasks *tasks, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < tasks->count; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%u", i > 0 ? " " : "", tasks->ids[i]);
}

/* ---- to place ---- */

static const struct {
    const char *what, *sets, *expected; /* the tasks */
} next[] = {
    {"all of a gang", "3x1", "0 1 2"},
    {"the minimum of an elastic job", "3x1/2", "0 1"},
    {"then one task", "4x1/2@n0*2", "2"},
    {"what the minimum lacks", "3x1/2@n0", "1"},
    {"in the order of the tasks", "3x1/2@-,n0", "0"},
    {"of each pod set", "2x1/1 3x1/2", "0 2 3"},
    {"only those below their minimum", "2x1/1@n0 2x1", "2 3"},
    {"the one that has grown least", "4x1/2@n0*3 4x1/2@n0*2", "6"}, // 3/2 and 2/2
    {"in proportion to its minimum", "9x1/4@n0*6 4x1/1@n0*2", "6"}, // 6/4 and 2/1
    {"of equals the first", "3x1/1@n0 3x1/1@n0", "1"},
    {"or the first that has any left", "1x1@n0 4x1/1@n0*3", "4"},
    {"not gated tasks", "3x1/1@?", "1"},
    {"not failed ones", "3x1/2@x", "1 2"},
    {"nor tasks still being released", "2x1/1@n0!", "1"},
    {"nothing when all runs", "2x1/1@n0*2", ""},
    {"nothing when the lacking ones are not there", "2x1@n0,x 2x1/1@n0",
     ""}, // below: no extra task
    {"a pod set of unlike tasks", "1x1/2 &2x2", "0 1"},
    {"and then one of these", "1x1/2@n0 &2x2@n0", "2"},
};

START_TEST(next_to_be_placed)
{
    struct story s;
    open_job(&s, next[_i].sets);
    struct pc_tasks tasks = {0};
    char found[64];
    ck_assert(pc_next_tasks(s.p, story_job(&s, "x").i, &tasks));
    list(&tasks, found, sizeof found);
    ck_assert_msg(strcmp(found, next[_i].expected) == 0, "%s: '%s', expected '%s'", next[_i].what,
                  found, next[_i].expected);
    pc_tasks_free(s.p, &tasks);
    story_close(&s);
}
END_TEST

/* ---- to evict ---- */

/* Chunks in sequence: "2, 0 1". */
static const struct {
    const char *what, *sets, *expected;
} victims[] = {
    {"a gang at once", "3x1@n0*3", "0 1 2"},
    {"elastic tasks from behind, then the rest", "4x1/2@n0*4", "3, 2, 0 1"},
    {"the last that runs", "4x1/2@n0,-,n0,n0", "3, 0 2"},
    {"not tasks being released", "4x1/2@n0*3,n0!", "2, 0 1"},
    {"below its minimum at once", "3x1@n0,n0,x", "0 1"},
    {"the pod set that has grown most", "3x1/2@n0*3 3x1/1@n0*2", "4, 2, 0 1 3"}, // 3/2, 2/1
    {"of equals the last", "2x1/1@n0*2 2x1/1@n0*2", "3, 1, 0 2"},
    {"one after the other as they shrink", "4x1/1@n0*4 3x1/1@n0*3", "3, 6, 2, 5, 1, 0 4"},
    {"one above its minimum and one below", "3x1/1@n0*2 3x1@n0*2,x", "1, 0 3 4"},
    {"unlike tasks of one pod set", "1x1/1@n0 &2x2@n0*2", "2, 1, 0"},
};

START_TEST(next_to_be_evicted)
{
    struct story s;
    open_job(&s, victims[_i].sets);
    struct pc_job *j = &s.p->cluster->jobs[story_job(&s, "x").i];
    const struct pc_shape *shape = &s.p->cluster->shapes[j->shape];
    struct pc_tasks tasks = {0};
    char found[128] = "";
    bool more = true;
    while (more) {
        ck_assert(pc_next_victims(s.p, story_job(&s, "x").i, &tasks, &more));
        char chunk[64];
        list(&tasks, chunk, sizeof chunk);
        size_t used = strlen(found);
        (void)snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? ", " : "", chunk);
        for (uint32_t i = 0; i < tasks.count; i++) {
            j->detail->tasks[tasks.ids[i]].popped = true;
            j->detail->counts[pc_role_of(shape, tasks.ids[i])->set].popped++;
        }
    }
    ck_assert_msg(strcmp(found, victims[_i].expected) == 0, "%s: '%s', expected '%s'",
                  victims[_i].what, found, victims[_i].expected);
    for (uint32_t i = 0; i < shape->tasks; i++)
        j->detail->tasks[i].popped = false;
    for (uint32_t i = 0; i < shape->set_count; i++)
        j->detail->counts[i].popped = 0;
    pc_tasks_free(s.p, &tasks);
    story_close(&s);
}
END_TEST

/* ---- amounts of the next tasks ---- */

static const struct {
    const char *sets;
    int64_t gpu, gate, cpu, mem; /* gate: of devices, for the check of limits */
} amounts[] = {
    {"3x2+c1.5+r10", 6000, 6000, 4500, 30},
    {"3x2+c1/1", 2000, 2000, 1000, 0},
    {"4x.3/2", 600, 600, 0, 0},
    {"1x2*.5", 1000, 1000, 0, 0},
    {"2x3g", 6000, 6000, 0, 0},
    {"1x1 2xc1", 1000, 1000, 2000, 0},
    {"1xm500", 500, 0, 0, 0}, // of 1000 on the smallest device
    {"1x2*m250 1x1", 1500, 1000, 0, 0},
    {"1xm3000", 3000, 0, 0, 0}, // more than one
    {"2x1@n0,-", 1000, 1000, 0, 0},
};

START_TEST(amounts_of_what_is_next)
{
    struct story s;
    char text[256];
    (void)snprintf(text, sizeof text,
                   "node n0 4 gpumem=1099; node n1 4 gpumem=4000; queue q; job x q %s",
                   amounts[_i].sets);
    story_open(&s, text);
    struct pc_tasks tasks = {0};
    uint32_t job = story_job(&s, "x").i;
    ck_assert(pc_next_tasks(s.p, job, &tasks));
    struct pc_amounts found = pc_amounts_of(s.p->cluster, job, &tasks, false);
    struct pc_amounts gate = pc_amounts_of(s.p->cluster, job, &tasks, true);
    struct pc_amounts short_cut = pc_next_amounts(s.p, job);
    ck_assert_int_eq(found.of[PC_GPU], amounts[_i].gpu);
    ck_assert_int_eq(found.of[PC_CPU], amounts[_i].cpu);
    ck_assert_int_eq(found.of[PC_MEM], amounts[_i].mem);
    ck_assert_int_eq(gate.of[PC_GPU], amounts[_i].gate);
    ck_assert_int_eq(gate.of[PC_CPU], amounts[_i].cpu);
    ck_assert_mem_eq(&short_cut, &found, sizeof found);
    pc_tasks_free(s.p, &tasks);
    story_close(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk");
    TCase *tcase = tcase_create("chunk");
    tcase_add_loop_test(tcase, next_to_be_placed, 0, ROWS(next));
    tcase_add_loop_test(tcase, next_to_be_evicted, 0, ROWS(victims));
    tcase_add_loop_test(tcase, amounts_of_what_is_next, 0, ROWS(amounts));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
