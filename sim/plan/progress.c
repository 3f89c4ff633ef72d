/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Estimating how much of a search is left; see progress.h. */
#include "sim/plan/progress.h"

void plan_progress_begin(struct plan_progress *p, bool quiet, size_t replicas, size_t options)
{
    *p = (struct plan_progress){.replicas = replicas, .options = options, .numbers = 8};
    pthread_mutex_init(&p->lock, NULL);
    progress_begin(&p->bar, quiet);
}

void plan_progress_end(struct plan_progress *p)
{
    progress_end(&p->bar);
    pthread_mutex_destroy(&p->lock);
}

void plan_progress_option(struct plan_progress *p)
{
    p->options -= p->options > 0;
    p->option_from = p->done;
}

void plan_progress_number(struct plan_progress *p)
{
    p->here = 0;
    p->numbers -= p->numbers > 0;
}

void plan_progress_expect(struct plan_progress *p, size_t numbers)
{
    p->numbers = numbers;
}

size_t plan_progress_total(struct plan_progress *p)
{
    size_t left = p->here < p->replicas ? p->replicas - p->here : 0;
    left += p->numbers * p->replicas;
    left += p->options * (p->done - p->option_from + left);
    double share = (double)p->done / (double)(p->done + left > 0 ? p->done + left : 1);
    p->share = share > p->share ? share : p->share;
    size_t total = p->share > 0 ? (size_t)((double)p->done / p->share + 0.5) : left;
    return total > p->done ? total : p->done;
}

void plan_progress_count(struct plan_progress *p)
{
    pthread_mutex_lock(&p->lock);
    p->done++;
    p->here++;
    size_t total = plan_progress_total(p);
    progress_count(&p->bar, p->done, total, "simulations");
    pthread_mutex_unlock(&p->lock);
}
