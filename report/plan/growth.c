/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads rates and spans; see growth.h. */
#include "report/plan/growth.h"

#include "sim/base/text.h"

#include <math.h>
#include <string.h>

#define MOST_FACTOR 1000.0 /* the most that workload.users_scale accepts */

static bool read_rate(struct growth *growth, const char *rate, struct err *err)
{
    size_t n = strlen(rate);
    if (n > 1 && rate[n - 1] == '%' && text_f64(rate, n - 1, &growth->yearly) &&
        growth->yearly > -100) {
        growth->yearly /= 100;
        return true;
    }
    return err_set(err, EXIT_INPUT,
                   "--growth '%s': expected a percentage a year above -100%%, such as 30%%", rate);
}

static bool read_span(struct growth *growth, const char *span, struct err *err)
{
    static const struct {
        const char *name;
        double years;
    } units[] = {
        {"y", 1},
        {"mo", 1.0 / 12},
        {"w", 7.0 / 365},
        {"d", 1.0 / 365},
    };
    size_t n = strspn(span, "0123456789.");
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(span + n, units[i].name) == 0 && text_f64(span, n, &growth->years) &&
            growth->years > 0) {
            growth->years *= units[i].years;
            return true;
        }
    return err_set(err, EXIT_INPUT,
                   "--horizon '%s': expected a span in y, mo, w or d, such as 12mo", span);
}

bool growth_parse(struct growth *growth, const char *rate, const char *span, struct err *err)
{
    *growth = (struct growth){.factor = 1};
    if (rate == NULL && span != NULL)
        return err_set(err, EXIT_INPUT,
                       "--horizon: say how much the demand grows a year (--growth 30%%)");
    if (rate == NULL)
        return true;
    if (!read_rate(growth, rate, err) || !read_span(growth, span != NULL ? span : "12mo", err))
        return false;
    growth->factor = pow(1 + growth->yearly, growth->years);
    if (growth->factor >= 1 / MOST_FACTOR && growth->factor <= MOST_FACTOR)
        return true;
    return err_set(
        err, EXIT_INPUT,
        "--growth '%s': the demand would become %g times that of today, expected up to %g", rate,
        growth->factor, MOST_FACTOR);
}
