/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast a type of GPU is for a class of work, relative to an A100 SXM with 80 GB. The tables are
 * those of scenarios/catalog/speeds.json; every figure has a range, a source and a mark that says
 * how sure it is. For a model and a node the speed is, in this order:
 *
 *     1. the model's own figure for the type, measured for that very model
 *     2. the node's own `speed`, which a user gave
 *     3. the row of the model's class for the type, in the precision that the model asks for
 *     4. the rule of the class:   s(G) = s(N) (F_G / F_N)^a (B_G / B_N)^b p
 *        from the nearest type N with NVLink whose row is measured or derived, F the matmul rate in
 *        BF16 (measured, or 0.8 of
 *        the data sheet's dense peak), B the bandwidth of the memory, p only if G has no NVLink
 *     5. 1, marked unknown
 *
 * Nothing is counted twice: a ratio shortens computing only (T_cmp of model.h), and where the
 * placement is modelled the step adds what communication costs on the nodes at hand. Therefore the
 * caller says whether it models communication:
 *
 *     alone      communication is modelled, or there is none: a rack of 72 counts as its chip (what
 *                its NVLink gains comes from the domain's bandwidth), and the rule leaves p out
 *     together   nothing else counts communication: with the gain of the rack, and with p
 *
 * Rows were measured at 8 GPUs and hold what 8 GPUs lose to communication: nothing to speak of
 * behind a switch. For cards without one that is the part which p stands for, so where the
 * placement of a job on several of them is modelled too, up to 1 - p of its speed may be counted
 * twice; for the catalogue's models it is 2 to 6 %.
 *
 * Rows are the best tuned results; an ordinary user may get 0.85 to 0.95 of each, of old types and
 * new ones alike. V100, T4 and their like have no BF16: their rows are FP16, as the work was
 * recorded. A model with precision `bf16` may not change to FP16 and crawls there (0.04). Jobs too
 * large for a GPU's memory are left to the placement.
 *
 * A table belongs to its reader; ratios point into it.
 */
#ifndef SIM_PERF_GENERATION_H
#define SIM_PERF_GENERATION_H

#include "sim/fleet/traits.h"
#include "sim/perf/model.h"

/* How sure a figure is. */
enum perf_mark {
    PERF_MARK_UNKNOWN = 0,
    PERF_MARK_MODEL,    /* the model's own */
    PERF_MARK_NODE,     /* the node's own */
    PERF_MARK_MEASURED, /* m */
    PERF_MARK_VENDOR,   /* v: claimed by the vendor */
    PERF_MARK_DERIVED,  /* d: a chain of measurements */
    PERF_MARK_RULE,     /* r */
    PERF_MARK_ASSUMED,  /* a */
    PERF_MARKS
};

struct perf_ratio {
    double speed, low, high;
    enum perf_mark mark;
    const char *source; /* "" unknown */
};

struct perf_gpu {
    const char *name, *summary, *source;
    const char *const *names; /* alternative names, in the form of perf_gpu_key() */
    size_t name_count;
    const char
        *variant_of; /* a type that has this one's name as well, with another memory; NULL none */
    double mem_gb;   /* of a variant */
    double matmul_tflops; /* in BF16: measured, or 0.8 of the peak */
    double mem_tb_s;
    bool pcie;   /* no NVLink switch between its like */
    double bf16; /* speed when only BF16 will do; 0: as the rows */
};

struct perf_class_row {
    const struct perf_gpu *gpu;
    double speed, low, high;
    double chip; /* without what its NVLink domain gains; the speed where that is the same */
    enum perf_mark mark;
    const char *source;
};

/* Rows as recorded (BF16 or FP16), in FP8, in FP4. */
enum perf_tables { PERF_TABLE_RECORDED = 0, PERF_TABLE_FP8, PERF_TABLE_FP4, PERF_TABLES };

struct perf_class {
    const char *name, *summary;
    const struct perf_class *like; /* class whose rows replace missing ones, or NULL */
    double a, b, p;
    double error; /* factor by which the rule is off, rms, leaving one type out */
    struct perf_class_row *rows[PERF_TABLES];
    size_t row_count[PERF_TABLES];
};

struct perf_generations {
    struct perf_gpu *gpus;
    size_t gpu_count;
    struct perf_class *classes;
    size_t class_count;
};

/*
 * The core of a type's name, in at most `size` bytes: lower case, without vendor, form factor and
 * memory, so "NVIDIA A100-SXM4-40GB" is "a100". Returns the memory in GB from the name, 0 if it has
 * none.
 */
double perf_gpu_key(const char *name, char *key, size_t size);

/* The type of that name; if several share the name, the one with that much memory (0 unknown). NULL
 * if there is none. */
const struct perf_gpu *perf_gpu_find(const struct perf_generations *, const char *name,
                                     double mem_gb);

/* NULL if there is none of that name. */
const struct perf_class *perf_class_find(const struct perf_generations *, const char *name);

/* The speed of a model on the devices of a node; see above. */
struct perf_ratio perf_ratio_of(const struct perf_generations *, const struct perf_model *,
                                const char *gpu_type, const struct node_traits *, bool together);

/* The result of a class's rule for a type, whether or not there is a row for it; unknown if its
 * figures are. */
struct perf_ratio perf_rule(const struct perf_generations *, const struct perf_class *,
                            const struct perf_gpu *, bool together);

/* "measured", and one letter for tables: "m"; "own" and "node" have none but themselves. */
const char *perf_mark_name(enum perf_mark);
const char *perf_mark_letter(enum perf_mark);

#endif
