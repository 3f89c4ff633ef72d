/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Inference services: their loads and autoscalers, and combinations that are refused. */
#include "scenarios/load/fill.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/base/week.h"
#include "traces/pod_sets.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 10000000 /* of one generated load */
#define MILLION    1000000.0

/* "services[2].load.file" */
static const char *place(char at[80], size_t index, const char *key)
{
    (void)snprintf(at, 80, "services[%zu]%s", index, key);
    return at;
}

/* ---- load ---- */

static bool take_rows(struct build *build, const char *path, const char *file,
                      const struct trace_load *rows, size_t count, struct scen_service *service)
{
    struct load_row *to = build_alloc(build, count, sizeof *to);
    for (size_t i = 0; i < count; i++) {
        const struct trace_origin *origin = &rows[i].origin;
        if (i == 0 && rows[i].at_ms != 0)
            return build_fail_row(build, path, file, origin, origin->name,
                                  "the first step begins at 0");
        if (i > 0 && rows[i].at_ms <= rows[i - 1].at_ms)
            return build_fail_row(build, path, file, origin, origin->name,
                                  "expected a later time than in the row before");
        to[i] = (struct load_row){rows[i].at_ms, rows[i].milli};
        digest_add(&build->digest, &to[i], sizeof to[i]);
    }
    service->rows = to;
    service->row_count = count;
    return true;
}

static bool read_load(struct build *build, size_t index, const char *name,
                      struct scen_service *service)
{
    char path[80];
    struct trace_load *rows = NULL;
    size_t count = 0;
    const char *file = build_file(build, place(path, index, ".load.file"), name);
    if (!build->files)
        return true;
    if (!trace_read_loads(file, &rows, &count, build->err))
        return build_blame(build, path);
    build_keep(build, rows);
    return take_rows(build, path, file, rows, count, service);
}

static bool fill_load(struct build *build, size_t index, const cJSON *tree,
                      struct scen_service *service)
{
    char at[80];
    const char *file = fill_text(tree, "file");
    if (file)
        return read_load(build, index, file, service);
    if (!json_member(tree, "peak_rps"))
        return build_fail(build, place(at, index, ".load"), "no load: give peak_rps, or a file");
    service->shape = (struct load_shape){.base_rps = fill_number(tree, "base_rps"),
                                         .peak_rps = fill_number(tree, "peak_rps"),
                                         .peak_hour = fill_number(tree, "peak_hour"),
                                         .weekend = fill_number(tree, "weekend"),
                                         .noise = fill_number(tree, "noise"),
                                         .step_ms = fill_ms(tree, "step", 0)};
    if (service->shape.base_rps > service->shape.peak_rps)
        return build_fail(build, place(at, index, ".load.base_rps"),
                          "expected at most peak_rps, %.10g", service->shape.peak_rps);
    if (service->shape.step_ms <= 0 ||
        build->scenario.window.horizon_ms / service->shape.step_ms >= MOST_STEPS)
        return build_fail(build, place(at, index, ".load.step"),
                          "expected more than 0, and at most %d steps until window.horizon",
                          MOST_STEPS);
    return true;
}

/* ---- autoscaler ---- */

/* Returns the startup time of all jobs of its class. */
static int64_t usual_startup(const struct scenario *scenario)
{
    const struct scen_startup *s = &scenario->startup;
    bool has = s->given && (s->classes >> TRACE_INFERENCE & 1) != 0;
    return has ? s->image_ms + s->load_ms + s->engine_ms : 0;
}

static bool check_rule(struct build *build, size_t index, const struct scaler_rule *rule)
{
    char at[80];
    if (rule->min > rule->max)
        return build_fail(build, place(at, index, ".min"), "expected at most max, %" PRId64,
                          rule->max);
    if (rule->interval_ms <= 0)
        return build_fail(build, place(at, index, ".autoscaler.interval"), "expected more than 0");
    if (!rule->predictive)
        return true;
    if (rule->trend_ms <= 0)
        return build_fail(build, place(at, index, ".autoscaler.trend"), "expected more than 0");
    return rule->season_ms > rule->lead_ms ||
           build_fail(build, place(at, index, ".autoscaler.season"),
                      "expected more than the look-ahead, %" PRId64 " s", rule->lead_ms / 1000);
}

/* Reads the time of the week at a key of an element. */
static bool fill_week(struct build *build, const char *path, const cJSON *tree, const char *key,
                      int64_t *ms)
{
    const char *text = fill_text(tree, key);
    char at[128];
    (void)snprintf(at, sizeof at, "%s.%s", path, key);
    return week_parse(text, strlen(text), ms) ||
           build_fail(build, at, "expected a time of the week such as \"mon 09:00\", got \"%.64s\"",
                      text);
}

static enum scaler_of signal_of(const char *name)
{
    static const char *const names[] = {"load",        "queue",  "concurrency",
                                        "utilization", "memory", "schedule"};
    int i = 0;
    while (strcmp(names[i], name) != 0)
        i++;
    return (enum scaler_of)i;
}

static bool fill_signal(struct build *build, const char *path, const cJSON *tree,
                        const cJSON *requests, struct scaler_signal *to)
{
    double target = json_member(tree, "target") ? fill_number(tree, "target") : 0;
    to->of = signal_of(fill_text(tree, "of"));
    to->target_micro = (int64_t)llround(target * MILLION);
    if (to->of == SCALER_SCHEDULE) {
        if (!json_member(tree, "from") || !json_member(tree, "replicas"))
            return build_fail(build, path, "a schedule needs 'from', 'to' and 'replicas'");
        to->replicas = fill_integer(tree, "replicas");
        return fill_week(build, path, tree, "from", &to->from_ms) &&
               fill_week(build, path, tree, "to", &to->to_ms);
    }
    if (to->of == SCALER_LOAD)
        return true;
    bool is_share = to->of == SCALER_UTILIZATION || to->of == SCALER_MEMORY;
    if (target == 0 || (is_share && target > 1))
        return build_fail(build, path, "expected a target %s",
                          is_share ? "above 0 and at most 1" : "above 0, in requests per replica");
    if (to->of != SCALER_MEMORY)
        return true;
    if (!json_member(requests, "replica_gib"))
        return build_fail(build, path, "the signal memory needs requests.replica_gib");
    return fill_number(requests, "model_gib") < target * fill_number(requests, "replica_gib") ||
           build_fail(build, path,
                      "the model alone takes the target: no number of replicas is enough");
}

static bool fill_signals(struct build *build, size_t index, const cJSON *from,
                         const cJSON *requests, struct scaler_rule *rule)
{
    const cJSON *list = json_member(from, "signals"), *hours = json_member(from, "headroom_hours");
    size_t count = (size_t)cJSON_GetArraySize(list), hour_count = (size_t)cJSON_GetArraySize(hours);
    struct scaler_signal *signals = build_alloc(build, count + 1, sizeof *signals);
    struct scaler_headroom *spans = build_alloc(build, hour_count + 1, sizeof *spans);
    char path[96];
    const cJSON *entry = list ? list->child : NULL;
    for (size_t i = 0; i < count; i++, entry = entry->next) {
        (void)snprintf(path, sizeof path, "services[%zu].autoscaler.signals[%zu]", index, i);
        if (!fill_signal(build, path, entry, requests, &signals[i]))
            return false;
    }
    entry = hours ? hours->child : NULL;
    for (size_t i = 0; i < hour_count; i++, entry = entry->next) {
        (void)snprintf(path, sizeof path, "services[%zu].autoscaler.headroom_hours[%zu]", index, i);
        spans[i].ppm = (int64_t)llround(fill_number(entry, "headroom") * MILLION);
        if (!fill_week(build, path, entry, "from", &spans[i].from_ms) ||
            !fill_week(build, path, entry, "to", &spans[i].to_ms))
            return false;
    }
    rule->signals = signals;
    rule->signal_count = count;
    rule->hours = spans;
    rule->hour_count = hour_count;
    return true;
}

/* Fills the queue of requests, and the SLO. */
static bool fill_requests(struct build *build, size_t index, const cJSON *tree,
                          struct scen_service *service)
{
    const cJSON *from = json_member(tree, "requests"), *slo = json_member(tree, "slo");
    bool bounded = json_member(from, "queue") != NULL;
    int64_t latency_ms = service->rule.latency_ms;
    char at[80];
    service->requests = (struct backlog_rule){
        .limit = bounded ? (load_sum)fill_integer(from, "queue") * (int64_t)MILLION : -1,
        .within_ms = -1};
    service->late_ppm = -1;
    if (!slo)
        return true;
    service->late_ppm = (int64_t)llround((100 - fill_number(slo, "percent")) * 10000);
    service->requests.within_ms = fill_ms(slo, "within", 0) - latency_ms;
    if (service->late_ppm == 0)
        return build_fail(
            build, place(at, index, ".slo.percent"),
            "expected less than 100: without an error budget there is nothing to burn");
    return service->requests.within_ms >= 0 ||
           build_fail(build, place(at, index, ".slo.within"),
                      "expected at least requests.latency, %" PRId64 " ms", latency_ms);
}

static bool fill_rule(struct build *build, size_t index, const cJSON *tree,
                      struct scen_service *service)
{
    const cJSON *from = json_member(tree, "autoscaler");
    const cJSON *requests = json_member(tree, "requests");
    double gib = json_member(requests, "replica_gib") ? fill_number(requests, "replica_gib") : 1;
    int64_t interval_ms = fill_ms(from, "interval", 0);
    int64_t startup_ms =
        service->startup_ms >= 0 ? service->startup_ms : usual_startup(&build->scenario);
    service->rule = (struct scaler_rule){
        .min = fill_integer(tree, "min"),
        .max = fill_integer(tree, "max"),
        .replica_milli = (int64_t)llround(fill_number(tree, "rps_per_replica") * 1000),
        .headroom_ppm = (int64_t)llround(fill_number(from, "headroom") * MILLION),
        .interval_ms = interval_ms,
        .down_after_ms = fill_ms(from, "scale_down_after", 0),
        .predictive = strcmp(fill_text(from, "mode"), "predictive") == 0,
        .lead_ms = fill_ms(from, "lead", startup_ms + interval_ms),
        .season_ms = fill_ms(from, "season", 0),
        .trend_ms = fill_ms(from, "trend", 0),
        .latency_ms = fill_ms(requests, "latency", 0),
        .model_micro = (int64_t)llround(fill_number(requests, "model_gib") / gib * MILLION),
        .request_micro = (int64_t)llround(fill_number(requests, "memory_gib") / gib * MILLION),
    };
    return check_rule(build, index, &service->rule) &&
           fill_signals(build, index, from, requests, &service->rule) &&
           fill_requests(build, index, tree, service);
}

/* ---- replicas ---- */

static bool check_queue(struct build *build, size_t index, const char *queue)
{
    const struct scenario *scenario = &build->scenario;
    char at[80], hint[128];
    bool known = scenario->queues_from_trace || !build->files ||
                 symbols_find(build->queues, queue, strlen(queue)) != SYMBOL_NONE;
    return known || build_fail(build, place(at, index, ".queue"), "unknown queue '%.64s'%s", queue,
                               text_suggest(hint, sizeof hint, queue, &scenario->queues[0].name,
                                            scenario->queue_count, sizeof *scenario->queues));
}

static bool fits(const struct scen_node *node, int gpus, const char *type)
{
    return node->gpus >= gpus && (*type == '\0' || strcmp(node->gpu_type, type) == 0);
}

static bool check_roles(struct build *build, size_t index, const struct scen_service *service)
{
    struct trace_roles roles;
    struct err err;
    char at[80];
    return trace_roles_read(service->roles, &roles, &err) ||
           build_fail(build, place(at, index, ".roles"), "%s", err.msg);
}

/* A node needs as many GPUs of the type. */
static bool check_size(struct build *build, size_t index, const struct scen_service *service)
{
    const struct scenario *scenario = &build->scenario;
    char at[80];
    bool found = (!build->files && scenario->pool_count == 0) || *service->roles != '\0';
    for (size_t i = 0; i < scenario->pool_count; i++)
        found |= fits(&scenario->pools[i].node, service->gpus, service->gpu_type);
    for (size_t i = 0; i < scenario->node_count; i++)
        found |= fits(&scenario->nodes[i].node, service->gpus, service->gpu_type);
    return found || build_fail(build, place(at, index, ""),
                               "no node of the fleet has %d GPU%s%s%.64s for a replica",
                               service->gpus, service->gpus == 1 ? "" : "s",
                               *service->gpu_type ? " of type " : "", service->gpu_type);
}

static bool check_name(struct build *build, size_t index)
{
    const struct scen_service *services = build->scenario.services;
    char at[80];
    for (size_t i = 0; i < index; i++)
        if (strcmp(services[i].name, services[index].name) == 0)
            return build_fail(build, place(at, index, ".name"),
                              "there are two services of the name '%.64s'", services[index].name);
    return true;
}

static bool fill_service(struct build *build, size_t index, const cJSON *tree)
{
    struct scen_service *service = &build->scenario.services[index];
    const char *type = fill_text(tree, "gpu_type");
    *service = (struct scen_service){
        .name = fill_text(tree, "name"),
        .queue = fill_text(tree, "queue"),
        .gpus =
            json_member(tree, "gpus_per_replica") ? (int)fill_integer(tree, "gpus_per_replica") : 1,
        .gpu_milli = json_member(tree, "gpu_milli") ? (int)fill_integer(tree, "gpu_milli") : 0,
        .gpu_type = type ? type : "",
        .roles = json_member(tree, "roles") ? fill_text(tree, "roles") : "",
        .priority = (int)fill_integer(tree, "priority"),
        .preemptible = fill_true(tree, "preemptible"),
        .startup_ms = fill_ms(tree, "startup", -1),
    };
    return check_name(build, index) && check_queue(build, index, service->queue) &&
           check_roles(build, index, service) && check_size(build, index, service) &&
           fill_rule(build, index, tree, service) &&
           fill_load(build, index, json_member(tree, "load"), service);
}

bool fill_services(struct build *build)
{
    const cJSON *list = json_member(build->tree, "services");
    struct scenario *scenario = &build->scenario;
    size_t count = (size_t)cJSON_GetArraySize(list);
    if (count == 0)
        return true;
    if (scenario->mode == SCEN_FILL)
        return build_fail(build, "services", "a packing study has no time, and no services");
    if (scenario->window.horizon_ms <= 0)
        return build_fail(build, "services",
                          "services never end: set the end of the run with window.horizon");
    scenario->services = build_alloc(build, count, sizeof *scenario->services);
    const cJSON *entry = list->child;
    for (; scenario->service_count < count; entry = entry->next)
        if (!fill_service(build, scenario->service_count++, entry))
            return false;
    return true;
}
