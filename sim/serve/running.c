/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a decision service knows, and what of it is in the journal; see running.h. */
#include "sim/serve/running.h"

#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

struct fact_policy service_policy(const struct service *s, struct fact_option **options)
{
    const struct policy_file *file = &s->policy_file;
    *options = mem_alloc(file->option_count + 1, sizeof **options);
    for (size_t i = 0; i < file->option_count; i++)
        (*options)[i] = (struct fact_option){file->option[i].name, file->option[i].value};
    return (struct fact_policy){.version = FACTS_VERSION,
                                .contract = POLICY_VERSION,
                                .name = file->name != NULL ? file->name : s->options.policy,
                                .seed = s->options.seed,
                                .options = *options,
                                .option_count = (uint32_t)file->option_count};
}

static bool same_options(const struct fact_policy *a, const struct fact_policy *b)
{
    bool same = a->option_count == b->option_count;
    for (uint32_t i = 0; i < a->option_count && same; i++)
        same = strcmp(a->options[i].name, b->options[i].name) == 0 &&
               strcmp(a->options[i].value, b->options[i].value) == 0;
    return same;
}

bool service_is_policy(const struct service *s, const struct fact_policy *then)
{
    struct fact_option *options;
    const struct fact_policy now = service_policy(s, &options);
    bool same =
        strcmp(now.name, then->name) == 0 && now.seed == then->seed && same_options(&now, then);
    free(options);
    return same;
}

/* ---- telling ---- */

int service_take(struct service *s, const struct fact *fact)
{
    int status = replay_core_tell(&s->core, fact);
    if (status != POLICY_OK)
        return status;
    s->now = fact->at > s->now ? fact->at : s->now;
    service_state_fact(&s->state, fact);
    if (s->has_places)
        replay_places_fact(&s->places, fact);
    return status;
}

int service_tell(struct service *s, const struct fact *fact)
{
    int status = service_take(s, fact);
    if (status != POLICY_OK)
        return status;
    service_begin_section(s);
    fact_log_fact(&s->log, fact);
    return status;
}

void service_decided(struct service *s)
{
    for (size_t i = 0; i < s->core.count; i++)
        service_state_decision(&s->state, &s->core.decisions[i]);
}

void service_begin_section(struct service *s)
{
    struct fact_option *options;
    struct fact_line line = {.tree = NULL};
    struct fact_policy policy = service_policy(s, &options);
    if (s->begins_section) {
        s->begins_section = false;
        s->has_section = true;
        policy.facts = s->section_facts;
        fact_log_begin(&s->log, s->section_at, &policy);
        const char *at = s->section.bytes;
        for (size_t left = s->section.length; left > 0;) {
            const char *end = memchr(at, '\n', left);
            BUG_ON(end == NULL || !fact_line_read(&line, at, (size_t)(end - at)));
            fact_log_fact(&s->log, &line.fact);
            left -= (size_t)(end + 1 - at);
            at = end + 1;
        }
        text_fini(&s->section);
    }
    fact_line_fini(&line);
    free(options);
}

/* ---- state ---- */
