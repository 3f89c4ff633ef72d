/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts replicas that miss a target; see risk.h. */
#include "report/compare/risk.h"

#include "report/words/markdown.h"
#include "report/words/units.h"
#include "sim/base/mem.h"

#include <stdio.h>
#include <stdlib.h>

#define DIGITS 6

/* Sets *missed if the replica misses the target. */
static bool judge(const struct target *target, const cJSON *summary, bool *missed, struct err *err)
{
    double value;
    enum target_found found = target_find(target, summary, &value);
    if (found == TARGET_ABSENT)
        return target_absent(target, summary, err);
    *missed = !target_met_in(target, found, value);
    return true;
}

static bool count_side(struct risks *risks, const struct pairing *pairing, int side,
                       const struct target *targets, size_t count, struct err *err)
{
    size_t *misses = mem_alloc(count + 1, sizeof *misses);
    bool ok = true;
    for (size_t k = 0; k < pairing->replicas && ok; k++) {
        bool any = false;
        for (size_t t = 0; t < count && ok; t++) {
            bool missed = false;
            ok = judge(&targets[t], pairing->summary[side][k], &missed, err);
            misses[t] += missed;
            any = any || missed;
        }
        misses[count] += any;
    }
    for (size_t i = 0; i < risks->count && ok; i++)
        risks->rows[i].of[side] = rule_risk(misses[i], pairing->replicas, true);
    free(misses);
    return ok;
}

bool risks_make(struct risks *risks, const struct pairing *pairing, const struct target *targets,
                size_t count, struct err *err)
{
    *risks = (struct risks){.rows = NULL};
    if (count == 0)
        return true;
    risks->rows = mem_alloc(count + 1, sizeof *risks->rows);
    risks->count = count > 1 ? count + 1 : 1;
    for (size_t t = 0; t < count; t++)
        risks->rows[t].target = &targets[t];
    return count_side(risks, pairing, SIDE_A, targets, count, err) &&
           count_side(risks, pairing, SIDE_B, targets, count, err);
}

void risks_fini(struct risks *risks)
{
    free(risks->rows);
    *risks = (struct risks){.rows = NULL};
}

char *risk_name(const struct comparison_risk *risk)
{
    return risk->target != NULL ? target_words(risk->target) : mem_text("any of the targets");
}

const char *risk_text(char text[RISK_TEXT], const struct rule_risk *risk)
{
    char share[UNIT_TEXT], low[UNIT_TEXT], high[UNIT_TEXT];
    (void)snprintf(text, RISK_TEXT, "%.30s (%.30s..%.30s)", unit_percent(share, risk->share),
                   unit_percent(low, risk->low), unit_percent(high, risk->high));
    return text;
}

void risks_print(const struct risks *risks, struct out *out)
{
    char a[RISK_TEXT], b[RISK_TEXT];
    out_text(out, risks->count > 0 ? "\nrisk of missing a target, 95% interval\n" : "");
    for (size_t i = 0; i < risks->count; i++) {
        const struct comparison_risk *risk = &risks->rows[i];
        const struct rule_risk *of = risk->of;
        out_format(out, "  %s: A %s, %zu of %zu; B %s, %zu of %zu\n",
                   risk->target != NULL ? risk->target->text : "any of them",
                   risk_text(a, &of[SIDE_A]), of[SIDE_A].missed, of[SIDE_A].tried,
                   risk_text(b, &of[SIDE_B]), of[SIDE_B].missed, of[SIDE_B].tried);
    }
}

void risks_markdown(const struct risks *risks, struct out *out)
{
    char text[RISK_TEXT];
    if (risks->count > 0)
        out_text(out, "\n| risk of missing | A | B |\n|---|--:|--:|\n");
    for (size_t i = 0; i < risks->count; i++) {
        char *name = risk_name(&risks->rows[i]);
        out_text(out, "| ");
        markdown_cell(out, name);
        for (int side = 0; side < SIDES; side++)
            markdown_cell(out, risk_text(text, &risks->rows[i].of[side]));
        out_char(out, '\n');
        free(name);
    }
}

void risks_json(const struct risks *risks, struct json *j)
{
    static const char *const keys[SIDES] = {"a", "b"};
    if (risks->count == 0)
        return;
    json_begin_array(j, "targets");
    for (size_t i = 0; i < risks->count; i++) {
        const struct comparison_risk *risk = &risks->rows[i];
        json_begin_object(j, NULL);
        json_text(j, "target", risk->target != NULL ? risk->target->text : NULL);
        for (int side = 0; side < SIDES; side++) {
            json_begin_object(j, keys[side]);
            json_u64(j, "missed", risk->of[side].missed);
            json_u64(j, "replicas", risk->of[side].tried);
            json_f64(j, "risk", risk->of[side].share, DIGITS);
            json_f64(j, "low", risk->of[side].low, DIGITS);
            json_f64(j, "high", risk->of[side].high, DIGITS);
            json_end_object(j);
        }
        json_end_object(j);
    }
    json_end_array(j);
}
