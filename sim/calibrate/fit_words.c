/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The result of a fit, in sentences; see fit_words.h. */
#include "sim/calibrate/fit_words.h"

#include "sim/base/mem.h"

#include <math.h>

static void say(struct calibrate_verdict *v, char *sentence)
{
    BUG_ON(v->count == CALIBRATE_SENTENCES);
    v->sentences[v->count++] = sentence;
}

void calibrate_fit_words(struct calibrate_verdict *v, const struct fit *fit)
{
    *v = (struct calibrate_verdict){.count = 0};
    say(v, mem_format("waits differ by a factor of %.3g on average, %.3g before the fit (%d "
                      "simulations)",
                      exp(fit->after), exp(fit->before), fit->tries));
    for (size_t i = 0; i < fit->count && v->count + 1 < CALIBRATE_SENTENCES; i++) {
        const struct fit_key *key = &fit->keys[i];
        say(v, key->set ? mem_format("--set %s=%.10g", key->key, key->value)
               : key->flat
                   ? mem_format("%s: cannot be identified, waits hardly depend on it", key->key)
                   : mem_format("%s: no value is better than what the scenario has", key->key));
    }
    if (fit->before > 0 && fit->after > 0)
        say(v, mem_format("%.1f%% of the difference remains, which no value of these parameters "
                          "explains",
                          100 * fit->after / fit->before));
}
