/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the speed of a training job goes by: a synchronous step in a few numbers. In each step the
 * devices compute, and then all of them sum up their gradients:
 *
 *     T_cmp  = W / (N speed)                     the slowest device rules
 *     T_in   = G c_in / cores                    the input pipeline
 *     T_dp   = nb a(k) + mu 2(d-1)/d S / B       all-reduce over the d = N / (TP PP) replicas
 *     T_mp   = V_tp 2(t-1)/t / B_tp + V_pp / B_pp + bubble T_cmp
 *     T_step = max(T_cmp, T_in) numa / keeps + (1-h) T_dp + T_mp + t0
 *
 * N devices on k nodes; B, B_tp, B_pp follow from the placement (bandwidth.h). With strong scaling
 * a step has the same work on any number of devices, with weak scaling each device has the same.
 *
 * A pipeline of p stages, each with v chunks of the model, stands idle for p - 1 of m
 * micro-batches:
 *
 *     bubble = (p-1) / (v m)              m = M / d with strong scaling, at least 1; M with weak
 *
 * (Narayanan et al., SC 2021, section 2.2). Strong scaling keeps the global batch, hence its M
 * micro-batches: twice the replicas have half as many each, and their bubble is twice as large a
 * share. Megatron's 177B (batch 1,152, 96 devices a replica) loses half of what strong scaling
 * costs it from 96 to 4,608 devices this way.
 *
 * A model owns nothing; the caller owns its table of speeds.
 */
#ifndef SIM_PERF_MODEL_H
#define SIM_PERF_MODEL_H

#include <stdbool.h>
#include <stddef.h>

/* How fast a type of device runs a model, relative to an A100-SXM, where it was measured for that
 * very model. */
struct perf_device_speed {
    const char *gpu_type;
    double speed;
};

/* Families of networks for which interference on one device was measured (share.h). */
enum perf_family {
    PERF_FAMILY_NONE = 0,
    PERF_FAMILY_A3C,
    PERF_FAMILY_CYCLEGAN,
    PERF_FAMILY_LM, /* recurrent language model */
    PERF_FAMILY_RECSYS,
    PERF_FAMILY_RESNET18,
    PERF_FAMILY_RESNET50,
    PERF_FAMILY_TRANSFORMER,
    PERF_FAMILIES
};

/* Families of networks for which the demand for CPU was measured (share.h). */
enum perf_cpu_curve {
    PERF_CPU_NONE = 0, /* CPU does not matter, or input_core_s gives it */
    PERF_CPU_ALEXNET,  /* and ShuffleNet */
    PERF_CPU_RESNET18, /* and MobileNet */
    PERF_CPU_RESNET50,
    PERF_CPU_LANGUAGE, /* one core will do */
    PERF_CPU_CURVES
};

/* Number formats of a model. As recorded: 16 bits, BF16 or FP16, whichever the device has; others
 * only if the model requires them. */
enum perf_precision {
    PERF_PRECISION_RECORDED = 0,
    PERF_PRECISION_BF16, /* only BF16: very slow without hardware support */
    PERF_PRECISION_FP8,  /* where there is FP8, else as recorded */
    PERF_PRECISION_FP4,
    PERF_PRECISIONS
};

struct perf_model {
    const char *name;    /* for reports; NULL none */
    bool weak;           /* work, batch and tensor volume are per device, whatever their number */
    double work_s;       /* W: device-seconds of a step on an A100-SXM */
    double batch;        /* G: samples of a step */
    const char *samples; /* unit of the samples: "tokens" */
    double gradient_gb;  /* S: all-reduced by each device in a step, 1e9 bytes */
    double imbalance;    /* mu: all-reduce time over that of equal ranks; 1 */
    double overlap;      /* h: share of the all-reduce that computing hides, 0..1 */
    double bucket_gb; /* gradients go in pieces of this size, each with its latency; 0: latency left
                         out */
    double fixed_s;   /* t0 */
    int tensor_parallel;   /* TP: devices of one group, 1 or more */
    int pipeline_parallel; /* PP */
    double micro_batches;  /* M: of the whole batch of a step; weak: of one pipeline */
    double virtual_stages; /* chunks of the model on each device of a pipeline */
    double tensor_gb; /* V_tp: all-reduced within a group in a step; a replica has 1/d of it, weak:
                         all */
    double pipeline_gb;            /* handed on by each device, in the same way */
    double input_core_s;           /* c_in: core-seconds for a sample; 0: not modelled */
    enum perf_cpu_curve cpu_curve; /* instead of it */
    double numa; /* factor on computing when cores and devices are not side by side; 1 */
    enum perf_family family;
    double utilization; /* of a device that it has alone, 0..1; 0 unknown */
    const char
        *speed_class; /* of work, by which types of devices differ (generation.h); NULL: unknown */
    enum perf_precision precision;
    const struct perf_device_speed *speeds; /* take precedence over those of the class */
    size_t speed_count;
};

/* A model without costs: factors 1, everything else 0. */
struct perf_model perf_model_empty(void);

/*
 * Speed on a type of device from the model's own table; else `fallback` (the node's own figure), 0
 * if neither is known. generation.h covers classes of work and types of devices.
 */
double perf_model_known_speed(const struct perf_model *, const char *gpu_type, double fallback);

/*
 * Communication intensity q = mu S / W in GB per device-second, of a job of PERF_Q_DEVICES devices:
 * the one number that ranks models by how much spreading hurts. Below 0.1 it hardly does; above 1
 * it rules.
 */
#define PERF_Q_DEVICES 8
double perf_model_intensity(const struct perf_model *);

/*
 * A model for a job known only by q: weak scaling, one second of computing per step. For 8 devices
 * on DGX A100 with 200 Gbit/s each, eight nodes instead of one cost about 0.52 q.
 */
struct perf_model perf_model_of_intensity(double q);

#endif
