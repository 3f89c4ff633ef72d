/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `fauxfleet list speeds [CLASS|GPU]`: classes of work with the rule for types without a row; for a
 * class its rows, for a type of GPU its speed in each class, by a row or by the rule. Relative to
 * A100 SXM with 80 GB.
 */
#include "scenarios/catalog/speeds.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"
#include "sim/program/command.h"

#include <stdlib.h>
#include <string.h>

#define LEGEND                                                                                     \
    "m measured, v claimed by the vendor, d derived from measurements, r by the fitted rule, a "   \
    "assumed; "                                                                                    \
    "A100 SXM 80 GB is 1\n"

static const char *const tables[PERF_TABLES] = {"", "fp8", "fp4"};

static void print_all(struct out *out, const struct perf_generations *g)
{
    for (size_t i = 0; i < g->class_count; i++) {
        const struct perf_class *class = &g->classes[i];
        out_format(out, "%-14s  %s [a %.2f, b %.2f, p %.2f, x%.2f]\n", class->name, class->summary,
                   class->a, class->b, class->p, class->error);
    }
    out_text(out, "without a row: (matmul rate)^a x (memory bandwidth)^b x (p without NVLink "
                  "switch), from the nearest GPU that was measured; rms error\n");
}

static void print_ratio(struct out *out, const char *name, const char *table,
                        const struct perf_ratio *r)
{
    out_format(out, "  %-14s %-4s %6.3g  %-4s %5.3g .. %-5.3g  %s\n", name, table, r->speed,
               perf_mark_letter(r->mark), r->low, r->high, r->source);
}

static void print_class(struct out *out, const struct perf_class *class)
{
    out_format(out, "%s  %s\n", class->name, class->summary);
    for (int which = 0; which < PERF_TABLES; which++) {
        for (size_t i = 0; i < class->row_count[which]; i++) {
            const struct perf_class_row *row = &class->rows[which][i];
            print_ratio(
                out, row->gpu->name, tables[which],
                &(struct perf_ratio){row->speed, row->low, row->high, row->mark, row->source});
        }
    }
    if (class->like != NULL)
        out_format(out, "  all others as %s\n", class->like->name);
    out_text(out, LEGEND);
}

static void print_gpu(struct out *out, const struct perf_generations *g, const struct perf_gpu *gpu)
{
    static const enum perf_precision asked[PERF_TABLES] = {PERF_PRECISION_RECORDED,
                                                           PERF_PRECISION_FP8, PERF_PRECISION_FP4};
    out_format(out, "%s  %s: %.4g TFLOP/s of BF16 matmuls, %.4g TB/s\n", gpu->name, gpu->summary,
               gpu->matmul_tflops, gpu->mem_tb_s);
    for (size_t i = 0; i < g->class_count; i++) {
        for (int which = 0; which < PERF_TABLES; which++) {
            struct perf_model model = perf_model_empty();
            model.speed_class = g->classes[i].name;
            model.precision = asked[which];
            if (which > 0 && g->classes[i].row_count[which] == 0)
                continue;
            struct perf_ratio ratio = perf_ratio_of(g, &model, gpu->name, &traits_unknown, true);
            print_ratio(out, g->classes[i].name, tables[which], &ratio);
        }
    }
    out_format(out, "  figures: %s\n", gpu->source);
    out_text(out, LEGEND);
}

static int fail_unknown(const struct perf_generations *g, const char *name)
{
    struct err err;
    char hint[128];
    size_t count = g->class_count + g->gpu_count;
    const char **names = mem_alloc(count, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = i < g->class_count ? g->classes[i].name : g->gpus[i - g->class_count].name;
    text_suggest(hint, sizeof hint, name, names, count, sizeof *names);
    err_set(&err, EXIT_INPUT, "unknown class of work or type of GPU '%.64s'%s", name, hint);
    free(names);
    return cli_fail(&err);
}

static void print_json(struct out *out, const struct catalog_speeds *catalog)
{
    char *printed = cJSON_Print(catalog->tree);
    out_text(out, printed != NULL ? printed : "");
    out_char(out, '\n');
    cJSON_free(printed);
}

int cmd_list_speeds(struct cli *cli)
{
    struct err err;
    struct catalog_speeds *catalog;
    if (!catalog_speeds(&catalog, &err))
        return cli_fail(&err);
    const struct perf_generations *g = &catalog->table;
    const char *name = cli->operand_count > 0 ? cli->operands[0] : NULL;
    const struct perf_class *class = name ? perf_class_find(g, name) : NULL;
    const struct perf_gpu *gpu = name ? perf_gpu_find(g, name, 0) : NULL;
    int code = EXIT_OK;
    if (name != NULL && class == NULL && gpu == NULL)
        code = fail_unknown(g, name);
    else if (cli_given(cli, OPT_JSON))
        print_json(cli->out, catalog);
    else if (class != NULL)
        print_class(cli->out, class);
    else if (gpu != NULL)
        print_gpu(cli->out, g, gpu);
    else
        print_all(cli->out, g);
    catalog_speeds_free(catalog);
    return code;
}
