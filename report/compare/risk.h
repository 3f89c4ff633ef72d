/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The risk of missing a target on either side of a comparison: the share of replicas that miss,
 * with its exact interval (report/plan/rule.h). A replica in which some jobs still waited at the
 * end misses a target that bounds their wait from above, as in `plan`.
 */
#ifndef REPORT_COMPARE_RISK_H
#define REPORT_COMPARE_RISK_H

#include "report/compare/pairing.h"
#include "report/plan/rule.h"
#include "report/plan/target.h"
#include "sim/base/json.h"
#include "sim/base/out.h"

struct comparison_risk {
    const struct target *target; /* NULL: any of several */
    struct rule_risk of[SIDES];
};

struct risks {
    struct comparison_risk *rows; /* of each target, then of any of them where there are several */
    size_t count;
};

/* The targets stay the caller's and outlive the risks. False with err set (EXIT_INPUT) when a
 * metric is not there or no number. */
bool risks_make(struct risks *, const struct pairing *, const struct target *targets, size_t count,
                struct err *err);
void risks_fini(struct risks *); /* a zeroed one is fine */

/* "p95 wait at most 2h00m", "any of the targets"; freed by the caller. */
char *risk_name(const struct comparison_risk *);

/* "5.0% (0.1%..24.9%)" */
#define RISK_TEXT 128
const char *risk_text(char text[RISK_TEXT], const struct rule_risk *);

void risks_print(const struct risks *, struct out *);    /* lines for the terminal */
void risks_markdown(const struct risks *, struct out *); /* a table; nothing without targets */
void risks_json(const struct risks *, struct json *); /* the member "targets", if there are any */

#endif
