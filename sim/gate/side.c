/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A process that simulates for the gate; see side.h. */
#include "sim/gate/side.h"

#include "report/gate/baseline.h"
#include "report/gate/packed.h"
#include "report/gate/timing.h"
#include "report/gate/words.h"
#include "sim/base/json.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/gate/difference.h"
#include "sim/gate/meter.h"
#include "sim/gate/source.h"
#include "sim/study/run_one.h"
#include "sim/world/simulate.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DIGITS        9
#define CPU_MS        600000 /* limits unless --side-time and --side-memory are given */
#define BLOCKED_MS    60000
#define MEMORY_MIB    8192
#define SHORTEST_TIME 100 /* ms */

/* ---- tasks as text ---- */

static const char *const task_names[GATE_TASKS] = {"prepare", "run", "record", "keep",
                                                   "difference"};

const char *gate_task_text(char text[GATE_TASK_TEXT], const struct gate_task *t)
{
    (void)snprintf(text, GATE_TASK_TEXT, "%s,%zu,%d,%d,%d,%lld", task_names[t->kind], t->scenario,
                   t->side, t->replica, t->audit ? 1 : 0, (long long)t->warmup_ms);
    return text;
}

bool gate_task_parse(const char *text, struct gate_task *t)
{
    int64_t numbers[5];
    size_t n = strcspn(text, ",");
    int kind = 0;
    while (kind < GATE_TASKS &&
           (strlen(task_names[kind]) != n || strncmp(task_names[kind], text, n) != 0))
        kind++;
    for (size_t i = 0; i < 5; i++) {
        text += n;
        if (*text++ != ',')
            return false;
        n = strcspn(text, ",");
        if (!text_i64(text, n, &numbers[i]))
            return false;
    }
    *t = (struct gate_task){.kind = (enum gate_task_kind)kind,
                            .scenario = (size_t)numbers[0],
                            .side = (int)numbers[1],
                            .replica = (int)numbers[2],
                            .audit = numbers[3] != 0,
                            .warmup_ms = numbers[4]};
    return kind < GATE_TASKS && text[n] == '\0' && numbers[0] >= 0 && numbers[1] >= 0 &&
           numbers[1] < SIDES;
}

bool gate_side_limits(const struct cli *cli, struct child_limits *limits, struct err *err)
{
    const char *time = cli_option(cli, OPT_SIDE_TIME);
    int64_t cpu_ms = CPU_MS;
    if (time != NULL && (!text_duration_ms(time, strlen(time), &cpu_ms) || cpu_ms < SHORTEST_TIME))
        return err_set(err, EXIT_INPUT,
                       "--side-time '%.128s': expected a duration of 0.1s or more, such as 30s",
                       time);
    *limits = (struct child_limits){
        .cpu_ms = cpu_ms,
        .blocked_ms = cpu_ms < BLOCKED_MS ? cpu_ms : BLOCKED_MS,
        .memory_mib = (int64_t)cli_number(cli, OPT_SIDE_MEMORY, MEMORY_MIB),
    };
    return true;
}

/* ---- tasks ---- */

struct side {
    const struct gate_task *task;
    struct gate_source source;
    struct scenario *scenarios[SIDES];
    struct steady steady;
};

static bool load(struct side *side, int which, struct err *err)
{
    if (side->task->warmup_ms >= 0)
        side->steady = (struct steady){.known = true, .warmup_ms = side->task->warmup_ms};
    return gate_source_side(&side->source, side->task->scenario, which, &side->steady,
                            &side->scenarios[which], err) &&
           simulation_check_policy(side->scenarios[which], err);
}

static bool prepare(struct side *side, struct json *j, struct err *err)
{
    if (!load(side, side->task->side, err))
        return false;
    if (side->steady.known)
        json_i64(j, "warmup_ms", side->steady.warmup_ms);
    json_bool(j, "half", side->steady.half);
    return true;
}

static bool run(struct side *side, struct json *j, struct err *err)
{
    const struct gate_task *task = side->task;
    bool ok = load(side, task->side, err);
    struct gate_meter meter;
    gate_meter_init(&meter);
    struct run_watch watch = gate_meter_watch(&meter);
    struct out *out = out_memory();
    struct run_one one = {.scenario = side->scenarios[task->side],
                          .replica = task->replica,
                          .audit = task->audit,
                          .watch = &watch,
                          .stopwatch = gate_meter_stopwatch(&meter),
                          .summary = out};
    ok = ok && run_one(&one, err);
    char *summary = out_memory_take(out);
    if (ok) {
        struct gate_cost cost = gate_meter_cost(&meter, summary);
        json_text(j, "summary", summary);
        for (int c = 0; c < GATE_MEASURES; c++)
            json_f64(j, gate_measure_names[c], cost.of[c], DIGITS);
    }
    free(summary);
    return ok;
}

static bool record(struct side *side, struct json *j, struct err *err)
{
    struct out *out = out_memory();
    bool ok = load(side, side->task->side, err) &&
              gate_record(side->scenarios[side->task->side], side->task->replica, out, err);
    if (ok)
        json_text(j, "decisions", out_memory_text(out, NULL));
    out_discard(out);
    return ok;
}

static bool keep(struct side *side, struct json *j, struct err *err)
{
    struct out *out = out_memory();
    size_t n = 0;
    bool ok = load(side, side->task->side, err) &&
              gate_record(side->scenarios[side->task->side], side->task->replica, out, err);
    const char *text = out_memory_text(out, &n);
    if (ok && n <= BASELINE_RECORD_MAX) {
        char *packed = packed_make(text, n);
        json_text(j, "packed", packed);
        free(packed);
    }
    out_discard(out);
    return ok;
}

static void free_difference(struct gate_difference *d)
{
    for (int side = 0; side < SIDES; side++) {
        free(d->sides[side].words);
        free(d->sides[side].other);
    }
}

static bool from_base(struct side *side, struct gate_difference *d, struct err *err)
{
    if (!load(side, SIDE_A, err) || !load(side, SIDE_B, err))
        return false;
    const struct scenario *const scenarios[SIDES] = {side->scenarios[SIDE_A],
                                                     side->scenarios[SIDE_B]};
    return gate_find_difference(scenarios, side->task->replica, d, err);
}

/* The base's policy is absent; its decisions are in the baseline. */
static bool from_baseline(struct side *side, struct gate_difference *d, struct err *err)
{
    const struct gate_task *task = side->task;
    struct gate_baseline baseline;
    if (!load(side, SIDE_B, err) ||
        !baseline_open(&baseline, cli_option(side->source.cli, OPT_BASELINE), err))
        return false;
    size_t n = 0;
    const char *packed = baseline_decisions(
        &baseline, side->source.suite.scenarios[task->scenario].name, task->replica);
    char *record = packed != NULL ? packed_open(packed, BASELINE_RECORD_MAX, &n) : NULL;
    bool ok =
        record != NULL
            ? gate_find_difference_kept(record, side->scenarios[SIDE_B], task->replica, d, err)
            : err_set(err, EXIT_BASELINE, "the decisions of replica %d are damaged", task->replica);
    free(record);
    baseline_close(&baseline);
    return ok;
}

static bool difference(struct side *side, struct json *j, struct err *err)
{
    struct gate_difference d = {0};
    bool ok = side->source.policies[SIDE_A] != NULL ? from_base(side, &d, err)
                                                    : from_baseline(side, &d, err);
    if (ok && d.known) {
        json_u64(j, "number", d.number);
        for (int k = 0; k < SIDES; k++) {
            json_begin_object(j, gate_side_names[k]);
            if (d.sides[k].at_ms != INT64_MAX)
                json_i64(j, "at_ms", d.sides[k].at_ms);
            json_text(j, "words", d.sides[k].words);
            json_text(j, "other", d.sides[k].other);
            json_end_object(j);
        }
    }
    free_difference(&d);
    return ok;
}

static bool (*const tasks[GATE_TASKS])(struct side *, struct json *, struct err *) = {
    [GATE_TASK_PREPARE] = prepare,       [GATE_TASK_RUN] = run,
    [GATE_TASK_RECORD] = record,         [GATE_TASK_KEEP] = keep,
    [GATE_TASK_DIFFERENCE] = difference,
};

/* ---- the process ---- */

/* Where the answer goes; standard output joins standard error. NULL when that fails. */
static FILE *take_output(void)
{
    int fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    FILE *file = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (file == NULL && fd >= 0)
        (void)close(fd);
    if (file != NULL && dup2(STDERR_FILENO, STDOUT_FILENO) < 0) {
        (void)fclose(file);
        return NULL;
    }
    return file;
}

static bool do_task(struct cli *cli, const struct gate_task *task, struct json *j, struct err *err)
{
    struct side side = {.task = task};
    bool ok = gate_source_open(&side.source, cli, err) &&
              (task->scenario < side.source.suite.scenario_count ||
               err_set(err, EXIT_INPUT, "the suite has no scenario %zu", task->scenario + 1));
    ok = ok && tasks[task->kind](&side, j, err);
    scenario_destroy(side.scenarios[SIDE_A]);
    scenario_destroy(side.scenarios[SIDE_B]);
    gate_source_close(&side.source);
    return ok;
}

int gate_side_main(struct cli *cli, const char *text)
{
    struct gate_task task;
    struct child_limits limits;
    struct err err = {0};
    if (!gate_task_parse(text, &task) || cli->command->run != cmd_gate)
        return err_set(&err, EXIT_INPUT, "'%s %.64s' is for the program's own use", GATE_SIDE_WORD,
                       text),
               cli_fail(&err);
    if (!gate_side_limits(cli, &limits, &err))
        return cli_fail(&err);
    children_limit_self(&limits);
    FILE *file = take_output();
    if (file == NULL)
        return err_set(&err, EXIT_INTERNAL, "no way to answer"), cli_fail(&err);
    struct out *answer = out_memory(), *to = out_stream(file);
    struct json j;
    json_init(&j, answer, 0);
    json_begin_object(&j, NULL);
    bool ok = do_task(cli, &task, &j, &err);
    json_end_object(&j);
    if (ok) {
        out_text(to, out_memory_text(answer, NULL));
    } else {
        json_init(&j, to, 0);
        json_begin_object(&j, NULL);
        json_i64(&j, "code", err.code);
        json_text(&j, "message", err.msg);
        json_end_object(&j);
    }
    out_discard(answer);
    struct err written = {0};
    bool closed = out_close(to, &written) && fclose(file) == 0;
    return !closed ? EXIT_INTERNAL : ok ? EXIT_OK : err.code;
}
