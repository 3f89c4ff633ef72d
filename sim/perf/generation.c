/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of GPU types, rows of their classes, and the rule for what has none; see generation.h. */
#include "sim/perf/generation.h"

#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define KEY_SIZE 64

/* ---- names ---- */

/* Words for vendor, form, or a generation that the name has already. */
static bool is_noise(const char *word)
{
    static const char *const noise[] = {
        "nvidia", "amd",   "tesla",  "geforce", "quadro",      "instinct", "blackwell", "sxm",
        "sxm2",   "sxm3",  "sxm4",   "sxm5",    "sxm6",        "oam",      "hbm2",      "hbm2e",
        "hbm3",   "hbm3e", "server", "edition", "workstation", "se",       "gpu"};
    for (size_t i = 0; i < sizeof noise / sizeof *noise; i++)
        if (strcmp(noise[i], word) == 0)
            return true;
    return false;
}

#define LARGEST_GB 320

/* "80gb", "80g", or a bare "80" after the type, as in "a100-80"; 0 for anything else. */
static double memory_of(const char *word, bool first)
{
    char *end;
    if (!isdigit((unsigned char)*word))
        return 0;
    long gb = strtol(word, &end, 10);
    bool unit = strcmp(end, "g") == 0 || strcmp(end, "gb") == 0;
    return gb > 0 && gb <= LARGEST_GB && (unit || (*end == '\0' && !first)) ? (double)gb : 0;
}

double perf_gpu_key(const char *name, char *key, size_t size)
{
    double mem_gb = 0;
    size_t n = 0;
    while (*name != '\0') {
        char word[KEY_SIZE];
        size_t length = 0;
        for (; isalnum((unsigned char)*name); name++)
            if (length + 1 < sizeof word)
                word[length++] = (char)tolower((unsigned char)*name);
        word[length] = '\0';
        name += *name != '\0' && !isalnum((unsigned char)*name);
        double gb = memory_of(word, n == 0);
        if (gb > 0)
            mem_gb = gb;
        else if (!is_noise(word))
            for (size_t i = 0; i < length && n + 1 < size; i++)
                key[n++] = word[i];
    }
    key[n] = '\0';
    return mem_gb;
}

static bool goes_by(const struct perf_gpu *gpu, const char *key)
{
    char own[KEY_SIZE];
    (void)perf_gpu_key(gpu->name, own, sizeof own);
    bool same = gpu->variant_of == NULL && strcmp(own, key) == 0;
    for (size_t i = 0; i < gpu->name_count && !same; i++)
        same = strcmp(gpu->names[i], key) == 0;
    return same;
}

/* A variant matches up to this much more memory than it has, since users round, or count in GiB. */
#define MEMORY_SLACK 1.1

const struct perf_gpu *perf_gpu_find(const struct perf_generations *g, const char *name,
                                     double mem_gb)
{
    char key[KEY_SIZE];
    double said_gb = perf_gpu_key(name, key, sizeof key);
    const struct perf_gpu *found = NULL;
    for (size_t i = 0; i < g->gpu_count && found == NULL; i++)
        if (goes_by(&g->gpus[i], key))
            found = &g->gpus[i];
    if (said_gb > 0)
        mem_gb = said_gb;
    for (size_t i = 0; found != NULL && mem_gb > 0 && i < g->gpu_count; i++) {
        const struct perf_gpu *variant = &g->gpus[i];
        if (variant->variant_of != NULL && strcmp(variant->variant_of, found->name) == 0 &&
            mem_gb <= variant->mem_gb * MEMORY_SLACK)
            return variant;
    }
    return found;
}

const struct perf_class *perf_class_find(const struct perf_generations *g, const char *name)
{
    for (size_t i = 0; i < g->class_count; i++)
        if (strcmp(g->classes[i].name, name) == 0)
            return &g->classes[i];
    return NULL;
}

/* ---- rows ---- */

static const struct perf_class_row *row_in(const struct perf_class *class, int table,
                                           const struct perf_gpu *gpu)
{
    for (size_t i = 0; i < class->row_count[table]; i++)
        if (class->rows[table][i].gpu == gpu)
            return &class->rows[table][i];
    return NULL;
}

/* Of the finest precision up to `table` that the type has a row in. */
static const struct perf_class_row *row_of(const struct perf_class *class, int table,
                                           const struct perf_gpu *gpu)
{
    const struct perf_class_row *row = NULL;
    for (; class != NULL && row == NULL; class = class->like)
        for (int t = table; t >= PERF_TABLE_RECORDED && row == NULL; t--)
            row = row_in(class, t, gpu);
    return row;
}

static const struct perf_ratio unknown = {.speed = 1, .low = 1, .high = 1, .source = ""};

static struct perf_ratio exactly(double speed, enum perf_mark mark, const char *source)
{
    return (struct perf_ratio){speed, speed, speed, mark, source};
}

/* ---- the rule ---- */

/* The figures needed to compare two types. */
struct figures {
    double tflops, tb_s;
    bool pcie;
};

static struct figures figures_of_gpu(const struct perf_gpu *gpu)
{
    return (struct figures){gpu->matmul_tflops, gpu->mem_tb_s, gpu->pcie};
}

static double distance(const struct perf_class *class, const struct figures *x,
                       const struct figures *y)
{
    return class->a * fabs(log(x->tflops / y->tflops)) + class->b * fabs(log(x->tb_s / y->tb_s));
}

struct base {
    struct figures figures;
    double speed, distance;
    bool found;
};

static void consider(struct base *base, const struct perf_class *class, const struct perf_gpu *gpu,
                     double speed, const struct figures *figures)
{
    struct figures own = figures_of_gpu(gpu);
    double far = distance(class, &own, figures);
    if (base->found && far >= base->distance)
        return;
    *base = (struct base){own, speed, far, true};
}

/*
 * The nearest type with a measured or derived row, or the A100 itself, which is the first of all;
 * `gpu` left out. Not cards without a switch: their rows hold what their PCIe costs, and they
 * predict each other badly (rms x1.28 instead of x1.18).
 */
static struct base nearest(const struct perf_generations *g, const struct perf_class *class,
                           const struct perf_gpu *gpu, const struct figures *figures)
{
    struct base base = {.found = false};
    if (gpu != &g->gpus[0])
        consider(&base, class, &g->gpus[0], 1, figures);
    for (size_t i = 0; i < class->row_count[PERF_TABLE_RECORDED]; i++) {
        const struct perf_class_row *row = &class->rows[PERF_TABLE_RECORDED][i];
        bool sure = row->mark == PERF_MARK_MEASURED || row->mark == PERF_MARK_DERIVED;
        if (row->gpu != gpu && sure && !row->gpu->pcie)
            consider(&base, class, row->gpu, row->chip, figures);
    }
    return base;
}

static struct perf_ratio rule(const struct perf_generations *g, const struct perf_class *class,
                              const struct perf_gpu *gpu, const struct figures *figures,
                              bool together)
{
    if (g->gpu_count == 0 || !(figures->tflops > 0) || !(figures->tb_s > 0))
        return unknown;
    if (class->row_count[PERF_TABLE_RECORDED] < 2 && class->like != NULL)
        class = class->like;
    struct base base = nearest(g, class, gpu, figures);
    if (!base.found)
        return unknown;
    double speed = base.speed * pow(figures->tflops / base.figures.tflops, class->a) *
                   pow(figures->tb_s / base.figures.tb_s, class->b);
    if (together && figures->pcie)
        speed *= class->p;
    return (struct perf_ratio){speed, speed / class->error, speed * class->error, PERF_MARK_RULE,
                               "fitted rule: matmul rate and memory bandwidth"};
}

struct perf_ratio perf_rule(const struct perf_generations *g, const struct perf_class *class,
                            const struct perf_gpu *gpu, bool together)
{
    struct figures figures = figures_of_gpu(gpu);
    return rule(g, class, gpu, &figures, together);
}

/* ---- all of it ---- */

static struct perf_ratio of_row(const struct perf_class_row *row, bool together)
{
    double share = together ? 1 : row->chip / row->speed;
    return (struct perf_ratio){row->speed * share, row->low * share, row->high * share, row->mark,
                               row->source};
}

/* The node's own figures take precedence over those of the device type. */
static struct figures figures_here(const struct perf_gpu *gpu, const struct node_traits *traits)
{
    struct figures figures = {0};
    if (gpu != NULL)
        figures = figures_of_gpu(gpu);
    else
        figures.pcie = traits->links == LINKS_PCIE || traits->links == LINKS_PAIRS;
    if (traits->bf16_tflops > 0)
        figures.tflops = traits->bf16_tflops;
    if (traits->mem_tb_s > 0)
        figures.tb_s = traits->mem_tb_s;
    return figures;
}

static const struct perf_device_speed *own_speed(const struct perf_generations *g,
                                                 const struct perf_model *model,
                                                 const char *gpu_type, const struct perf_gpu *gpu)
{
    for (size_t i = 0; i < model->speed_count; i++) {
        const struct perf_device_speed *own = &model->speeds[i];
        if (strcmp(own->gpu_type, gpu_type) == 0 && (gpu == NULL || gpu->variant_of == NULL))
            return own;
        if (gpu != NULL && perf_gpu_find(g, own->gpu_type, 0) == gpu)
            return own;
    }
    return NULL;
}

static int table_of(enum perf_precision precision)
{
    static const int tables[] = {[PERF_PRECISION_RECORDED] = PERF_TABLE_RECORDED,
                                 [PERF_PRECISION_BF16] = PERF_TABLE_RECORDED,
                                 [PERF_PRECISION_FP8] = PERF_TABLE_FP8,
                                 [PERF_PRECISION_FP4] = PERF_TABLE_FP4};
    return tables[precision];
}

struct perf_ratio perf_ratio_of(const struct perf_generations *g, const struct perf_model *model,
                                const char *gpu_type, const struct node_traits *traits,
                                bool together)
{
    const struct perf_gpu *gpu = perf_gpu_find(g, gpu_type, traits->gpu_mem_gb);
    const struct perf_device_speed *own = own_speed(g, model, gpu_type, gpu);
    if (own != NULL)
        return exactly(own->speed, PERF_MARK_MODEL, "the model's own");
    if (traits->speed > 0)
        return exactly(traits->speed, PERF_MARK_NODE, "the node's own");
    const struct perf_class *class =
        perf_class_find(g, model->speed_class != NULL ? model->speed_class : "unknown");
    if (class == NULL)
        return unknown;
    if (gpu != NULL && model->precision == PERF_PRECISION_BF16 && gpu->bf16 > 0)
        return exactly(gpu->bf16, PERF_MARK_DERIVED, gpu->source);
    if (gpu != NULL && gpu == &g->gpus[0])
        return exactly(1, PERF_MARK_MEASURED, gpu->summary);
    const struct perf_class_row *row =
        gpu != NULL ? row_of(class, table_of(model->precision), gpu) : NULL;
    if (row != NULL)
        return of_row(row, together);
    struct figures figures = figures_here(gpu, traits);
    return rule(g, class, gpu, &figures, together);
}

const char *perf_mark_name(enum perf_mark mark)
{
    static const char *const names[PERF_MARKS] = {"unknown", "model",   "node", "measured",
                                                  "vendor",  "derived", "rule", "assumed"};
    return names[mark];
}

const char *perf_mark_letter(enum perf_mark mark)
{
    static const char *const letters[PERF_MARKS] = {"?", "own", "node", "m", "v", "d", "r", "a"};
    return letters[mark];
}
