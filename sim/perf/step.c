/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The terms of a step, each from the parts of the placement. */
#include "sim/perf/step.h"

#include "sim/base/err.h"
#include "sim/perf/share.h"

#include <math.h>

/* The job as its model divides it. */
struct division {
    int tensor;   /* devices of a tensor group */
    int group;    /* of a replica */
    int replicas; /* d, 1 or more */
};

static int at_most(int n, int most)
{
    return n < most ? n : most;
}

static struct division divide(const struct perf_model *model, int devices)
{
    int tensor = at_most(model->tensor_parallel, devices);
    int group = at_most(tensor * model->pipeline_parallel, devices);
    return (struct division){tensor, group, devices / group};
}

static int place_devices(const struct perf_place *place)
{
    int n = 0;
    for (size_t i = 0; i < place->count; i++)
        n += perf_part_devices(&place->parts[i]);
    return n;
}

/* How long the part's cores prepare what its devices use up in a step that takes them compute_s. */
static double input_s(const struct perf_model *model, const struct perf_part *part, int devices,
                      double compute_s)
{
    if (part->cores < 0)
        return 0;
    if (model->input_core_s > 0) {
        double samples = model->batch * (model->weak ? part->gpus : (double)part->gpus / devices);
        return samples * model->input_core_s / part->cores;
    }
    if (model->cpu_curve != PERF_CPU_NONE)
        return compute_s / perf_cpu_keeps(model->cpu_curve, part->cores / part->gpus, part->speed);
    return 0;
}

/* Everybody waits for the slowest part. */
static void compute(const struct perf_model *model, const struct perf_place *place, int devices,
                    struct perf_step *step)
{
    double work_s = model->weak ? model->work_s : model->work_s / devices;
    for (size_t i = 0; i < place->count; i++) {
        const struct perf_part *part = &place->parts[i];
        double compute_s = work_s / part->speed, in_s = input_s(model, part, devices, compute_s);
        double busy_s = (compute_s > in_s ? compute_s : in_s) / part->keeps;
        if (part->cores_remote)
            busy_s *= model->numa;
        step->compute_s = compute_s > step->compute_s ? compute_s : step->compute_s;
        step->input_s = in_s > step->input_s ? in_s : step->input_s;
        step->busy_s = busy_s > step->busy_s ? busy_s : step->busy_s;
    }
}

static double reduce_s(const struct perf_rules *rules, const struct perf_model *model, int replicas,
                       const struct perf_bandwidth *bandwidth)
{
    if (replicas < 2)
        return 0;
    double transfer_s =
        model->imbalance * 2 * (replicas - 1) / replicas * model->gradient_gb / bandwidth->gbps;
    double latency_s = 0;
    if (model->bucket_gb > 0)
        latency_s = model->gradient_gb / model->bucket_gb *
                    perf_all_reduce_s(rules, bandwidth, replicas, 0);
    return (1 - model->overlap) * (latency_s + transfer_s);
}

/* What a part's devices have towards other nodes for a tensor group that reaches out. */
static double part_out_gbps(const struct perf_part *part, uint64_t devices)
{
    if (part->traits->nvlink_nodes > 1)
        return part->traits->nvlink_domain_gbps > 0 ? part->traits->nvlink_domain_gbps
                                                    : (double)INFINITY;
    double gbps = perf_nic_gbps(part->traits, part->node_gpus, devices) * part->nic_share;
    return part->nics_remote ? gbps * PERF_NIC_REMOTE : gbps;
}

/* The lowest n of some devices. */
static uint64_t take_devices(uint64_t devices, int n)
{
    uint64_t set = 0;
    for (; n > 0; n--, devices &= devices - 1)
        set |= devices & (~devices + 1);
    return set;
}

/* The slowest of the whole tensor groups of a part, which take its devices in order. */
static double groups_gbps(const struct perf_rules *rules, const struct perf_part *part, int tensor)
{
    enum traits_links links = part->traits->links;
    if (links != LINKS_CUBE_MESH && links != LINKS_PAIRS) /* any set of devices is as good */
        return perf_node_gbps(rules, part->traits, part->node_gpus, perf_lowest(tensor));
    double gbps = (double)INFINITY;
    uint64_t rest = part->devices;
    for (int n = part->gpus; n >= tensor; n -= tensor) {
        uint64_t set = take_devices(rest, tensor);
        double here = perf_node_gbps(rules, part->traits, part->node_gpus, set);
        gbps = here < gbps ? here : gbps;
        rest &= ~set;
    }
    return gbps;
}

/* The same for all groups: what is left over after whole ones reaches out, unless the job has no
 * other node. */
static double part_tensor_gbps(const struct perf_rules *rules, const struct perf_part *part,
                               int tensor, bool alone)
{
    int left = part->gpus % tensor;
    double gbps = part->gpus >= tensor ? groups_gbps(rules, part, tensor) : (double)INFINITY;
    if (left == 0)
        return gbps;
    uint64_t set = part->devices & ~take_devices(part->devices, part->gpus - left);
    double inside = perf_node_gbps(rules, part->traits, part->node_gpus, set);
    gbps = inside < gbps ? inside : gbps;
    if (alone)
        return gbps;
    double out = part_out_gbps(part, set);
    return out < gbps ? out : gbps;
}

/*
 * B_tp. Groups of which some node holds no whole number cross the network and its uplinks, unless
 * they stay in an NVLink domain.
 */
static double tensor_gbps(const struct perf_rules *rules, const struct perf_place *place,
                          int tensor, bool alone)
{
    double gbps = (double)INFINITY;
    bool crosses = false;
    for (size_t i = 0; i < place->count; i++) {
        const struct perf_part *part = &place->parts[i];
        double here = part_tensor_gbps(rules, part, tensor, alone);
        gbps = here < gbps ? here : gbps;
        crosses = crosses || (!alone && part->gpus % tensor && part->traits->nvlink_nodes <= 1);
    }
    for (size_t i = 0; crosses && i < place->uplinks; i++)
        gbps = place->uplink_gbps[i] < gbps ? place->uplink_gbps[i] : gbps;
    return gbps;
}

/* Of one pipeline. With strong scaling the replicas divide those of the batch, down to one each. */
static double micro_batches(const struct perf_model *model, struct division division)
{
    double own = model->weak ? model->micro_batches : model->micro_batches / division.replicas;
    return own > 1 ? own : 1;
}

/* T_mp. A pipeline whose stages lie on several domains hands on through each device's part of the
 * NICs. */
static void model_parallel(const struct perf_rules *rules, const struct perf_model *model,
                           const struct perf_place *place, struct division division,
                           struct perf_step *step)
{
    int tensor = division.tensor, stages = model->pipeline_parallel;
    double part = model->weak ? 1 : 1.0 / division.replicas;
    if (tensor > 1 && model->tensor_gb > 0)
        step->tensor_s = part * model->tensor_gb * 2 * (tensor - 1) / tensor /
                         tensor_gbps(rules, place, tensor, step->bandwidth.nodes == 1);
    if (stages < 2)
        return;
    step->bubble_s =
        (stages - 1) / (model->virtual_stages * micro_batches(model, division)) * step->compute_s;
    if (model->pipeline_gb > 0) {
        int most = place->parts[0].gpus;
        for (size_t i = 1; i < place->count; i++)
            most = place->parts[i].gpus > most ? place->parts[i].gpus : most;
        step->pipeline_s = part * model->pipeline_gb / perf_bandwidth(rules, place, most).gbps;
    }
}

double perf_step(const struct perf_rules *rules, const struct perf_model *model,
                 const struct perf_place *place, struct perf_step *out)
{
    int devices = place_devices(place);
    BUG_ON(devices < 1);
    struct division division = divide(model, devices);
    struct perf_step step = {.bandwidth = perf_bandwidth(rules, place, division.group),
                             .fixed_s = model->fixed_s};
    compute(model, place, devices, &step);
    step.reduce_s = reduce_s(rules, model, division.replicas, &step.bandwidth);
    if (division.group > 1)
        model_parallel(rules, model, place, division, &step);
    step.seconds = step.busy_s + step.reduce_s + step.tensor_s + step.bubble_s + step.pipeline_s +
                   step.fixed_s;
    step.samples_per_s = model->batch * (model->weak ? devices : 1) / step.seconds;
    if (out)
        *out = step;
    return step.seconds;
}

double perf_speed(const struct perf_rules *rules, const struct perf_model *model,
                  const struct perf_place *place, double best_s)
{
    double seconds = perf_step(rules, model, place, NULL);
    return seconds > 0 ? best_s / seconds : 1;
}
