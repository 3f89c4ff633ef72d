/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Trace events of hand-made runs: the bars and marks of faults, and open bars at the end. */
#include "report/record/trace_events.h"
#include "tests/lib/folder.h"
#include "tests/sim/listed.h"

#include <cjson/cJSON.h>

struct drawn {
    struct folder folder;
    struct trace_events events;
    cJSON *json;
};

static void begin(struct drawn *d, struct small *s)
{
    *d = (struct drawn){0};
    folder_make(&d->folder);
    ck_assert(trace_events_open(&d->events, folder_path(&d->folder, "events.json"), &s->err));
    small_observe(s, trace_events_observer(&d->events));
}

static void finish(struct drawn *d, struct small *s)
{
    trace_events_finish(&d->events, s->sim);
    ck_assert(out_close(d->events.out, &s->err));
    d->events.out = NULL;
    char *text = folder_read(&d->folder, "events.json");
    d->json = cJSON_Parse(text);
    ck_assert_msg(d->json != NULL, "not JSON: %s", text);
    free(text);
}

static void end(struct drawn *d, struct small *s)
{
    cJSON_Delete(d->json);
    trace_events_fini(&d->events);
    folder_remove(&d->folder);
    small_end(s);
}

static double number(const cJSON *event, const char *key)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItem(event, key));
}

/* The number of events with this phase, process, thread (0: any) and name; the last of them in
 * *found. */
static int find(const struct drawn *d, const char *phase, int process, int thread, const char *name,
                const cJSON **found)
{
    int count = 0;
    const cJSON *event;
    cJSON_ArrayForEach(event, cJSON_GetObjectItem(d->json, "traceEvents"))
    {
        if (strcmp(cJSON_GetObjectItem(event, "ph")->valuestring, phase) != 0 ||
            strcmp(cJSON_GetObjectItem(event, "name")->valuestring, name) != 0 ||
            (int)number(event, "pid") != process ||
            (thread != 0 && (int)number(event, "tid") != thread))
            continue;
        count++;
        *found = event;
    }
    return count;
}

/* The second node (process 3) breaks at 10 s, is detected at 15 s, and returns at 35 s. Only then
 * does its job restart: `a` has the other node for a minute. */
START_TEST(a_broken_node_is_down)
{
    struct small s;
    struct drawn d;
    struct listed l = {0};
    const cJSON *at;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 2, 1);
    small_job(&s, "a", 0, 60000, 1);
    small_job(&s, "b", 0, 20000, 1);
    listed_add(&s, &l, 10, SIM_FAULT_KILLS, 1, 5, 20);
    begin(&d, &s);
    small_run(&s);
    finish(&d, &s);
    ck_assert_int_eq(find(&d, "i", 3, 99, "one", &at), 1);
    ck_assert_double_eq(number(at, "ts"), 10e6);
    ck_assert_int_eq(find(&d, "X", 3, 99, "down", &at), 1);
    ck_assert_double_eq(number(at, "ts"), 15e6);
    ck_assert_double_eq(number(at, "dur"), 20e6);
    ck_assert_int_eq(find(&d, "X", 3, 1, "b", &at), 2);
    ck_assert_double_eq(number(at, "ts"), 35e6);
    ck_assert_int_eq(find(&d, "X", 2, 1, "a", &at), 1);
    ck_assert_double_eq(number(at, "ts"), 0);
    ck_assert_double_eq(number(at, "dur"), 60e6);
    ck_assert_int_eq(find(&d, "i", 1, 1, "interrupted", &at), 1);
    ck_assert_double_eq(number(at, "ts"), 15e6);
    end(&d, &s);
}
END_TEST

/* Stopped at 7 s: the job and the repair are drawn up to then. */
START_TEST(open_spans_end_with_the_run)
{
    struct small s;
    struct drawn d;
    struct listed l = {0};
    const cJSON *at;
    small_begin(&s, "fifo", "");
    small_pool(&s, "p", 2, 4);
    small_job(&s, "a", 0, 20000, 4);
    small_job(&s, "late", 7000, 1000, 8);
    listed_add(&s, &l, 1, SIM_FAULT_KILLS, 1, 1, 90);
    begin(&d, &s);
    ck_assert(small_create(&s) && sim_run(s.sim, 7000, &s.err) && sim_finish(s.sim, &s.err));
    finish(&d, &s);
    for (int device = 1; device <= 4; device++) {
        ck_assert_int_eq(find(&d, "X", 2, device, "a", &at), 1);
        ck_assert_double_eq(number(at, "dur"), 7e6);
    }
    ck_assert_int_eq(find(&d, "X", 3, 99, "down", &at), 1);
    ck_assert_double_eq(number(at, "ts"), 2e6);
    ck_assert_double_eq(number(at, "dur"), 5e6);
    ck_assert_int_ge(find(&d, "C", 1, 0, "jobs", &at), 1);
    ck_assert_double_eq(number(cJSON_GetObjectItem(at, "args"), "pending"), 1);
    end(&d, &s);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_an_error)
{
    struct trace_events events = {0};
    struct err err = {0};
    ck_assert(!trace_events_open(&events, "/nonexistent/folder/x.json", &err));
    harness_contains(err.msg, "/nonexistent/folder");
    trace_events_fini(&events);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("trace_events");
    TCase *tcase = tcase_create("trace_events");
    tcase_add_test(tcase, a_broken_node_is_down);
    tcase_add_test(tcase, open_spans_end_with_the_run);
    tcase_add_test(tcase, a_folder_that_is_not_there_is_an_error);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
