/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The risk of missing a target on either side of a comparison: the share of replicas that miss it,
 * with its exact interval (report/plan/rule.h). If some jobs were still pending at the end, the
 * replica misses a target with an upper limit on their wait, as in `plan`.
 */
#ifndef REPORT_COMPARE_RISK_H
#define REPORT_COMPARE_RISK_H

#include "report/compare/pairing.h"
#include "report/plan/rule.h"
#include "report/plan/target.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

struct comparison_risk {
    const struct target *target; /* NULL: any of several targets */
    struct rule_risk of[SIDES];
};

struct risks {
    struct comparison_risk
        *rows; /* one per target, then one for any of them if there are several */
    size_t count;
};

/*
 * The targets are the caller's and must outlive the risks. Returns false with err set (EXIT_INPUT)
 * if a metric is missing or not a number.
 */
bool risks_make(struct risks *, const struct pairing *, const struct target *targets, size_t count,
                struct err *err);
void risks_fini(struct risks *); /* may be zeroed */

/* Returns "p95 wait at most 2h00m" or "any of the targets". The caller frees it. */
char *risk_name(const struct comparison_risk *);

/* "5.0% (0.1%..24.9%)" */
#define RISK_TEXT 128
const char *risk_text(char text[RISK_TEXT], const struct rule_risk *);

void risks_print(const struct risks *, struct out *); /* prints lines for the terminal */
void risks_markdown(const struct risks *,
                    struct out *); /* prints a table; nothing without targets */
void risks_json(const struct risks *,
                struct json *); /* writes the member "targets", if there are any */

#endif
