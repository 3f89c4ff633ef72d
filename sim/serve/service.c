/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a decision service: its policy, its facts, its saved state; see service.h. */
#include "sim/serve/service.h"

#include "policies/facts/saved.h"
#include "policies/facts/saved_file.h"
#include "policies/facts/write.h"
#include "sim/base/mem.h"
#include "sim/serve/recover.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void put_bytes(void *self, const char *bytes, size_t n)
{
    text_bytes(self, bytes, n);
}

static void put_line(void *self, struct text *line)
{
    saved_line(self, line);
}

/* Syncs the journal before a state refers to its last record. */
static bool settle_log(struct service *s, struct err *err)
{
    int64_t sync_ms = s->log.sync_ms;
    s->log.sync_ms = 0;
    bool ok = fact_log_commit(&s->log);
    s->log.sync_ms = sync_ms;
    return ok || service_is_sound(s, err);
}

static bool renew_log(struct service *s, const struct fact_policy *policy, struct err *err)
{
    char why[256];
    uint64_t keep = s->options.keep != 0 ? s->options.keep : SERVICE_KEEP;
    if (s->options.journal != NULL || s->log.records - s->log.base < keep)
        return true;
    return fact_log_renew(&s->log, s->log_path, s->now, policy, why, sizeof why) ||
           err_set(err, EXIT_INPUT, "cannot start the log '%s' again: %s", s->log_path, why);
}

bool service_save(struct service *s, bool closed, uint64_t *facts, struct err *err)
{
    char why[256];
    char after[CHAIN_DIGITS + 1];
    struct text file = {.length = 0};
    struct fact_option *options;
    if (!settle_log(s, err))
        return false;
    struct saved_writer to = {.put = put_bytes, .self = &file};
    struct fact_policy policy = service_policy(s, &options);
    memcpy(after, s->log.chain.last, sizeof after);
    policy.after = after;
    policy.records = (int64_t)s->log.records;
    policy.closed = closed;
    saved_begin(&to, s->now, &policy);
    *facts = service_state_tell(&s->state, s->core.policy, &s->core.map, s->now,
                                (struct state_sink){put_line, &to});
    saved_end(&to, s->now);
    BUG_ON(to.failed || file.failed);
    bool ok = saved_file_write(s->options.state, file.bytes, file.length, why, sizeof why) ||
              err_set(err, EXIT_INPUT, "%s: cannot write it: %s", s->options.state, why);
    s->saved = ok ? s->log.records : s->saved;
    policy.closed = false;
    ok = ok && renew_log(s, &policy, err);
    text_fini(&file);
    free(options);
    return ok;
}

/* What another policy remembers is in the state, and stands until there is something new to be
 * saved. */
static bool keeps_state(const struct service *s)
{
    return s->options.state == NULL || s->begins_section;
}

static bool save_at_open(struct service *s, struct err *err)
{
    uint64_t facts;
    return keeps_state(s) || service_save(s, false, &facts, err);
}

/* ---- files ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return a != NULL && b != NULL && stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) &&
           x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool same_name(const char *path, const char *own, const char *ending)
{
    size_t n = own != NULL ? strlen(own) : 0;
    return own != NULL && strncmp(path, own, n) == 0 && strcmp(path + n, ending) == 0;
}

bool service_owns_file(const struct service *s, const char *path)
{
    return same_file(path, s->log_path) || same_file(path, s->options.state) ||
           same_name(path, s->log_path, ".1");
}

/* The state would replace the journal, and the journal be written into the state. */
static bool are_two_files(const struct service *s, struct err *err)
{
    const struct service_options *o = &s->options;
    bool same = o->journal != NULL && o->state != NULL &&
                (strcmp(o->journal, o->state) == 0 || same_file(o->journal, o->state));
    return !same ||
           err_set(err, EXIT_INPUT, "'%s' and '%s': expected a journal and a state of their own",
                   o->journal, o->state);
}

static bool take_log(struct service *s, struct err *err)
{
    char why[256];
    bool ok = fact_log_open(&s->log, s->log_path, why, sizeof why);
    s->log.sync_ms = s->options.sync_ms;
    s->log.is_grouped = true;
    return ok || err_set(err, EXIT_INPUT, "cannot write the journal '%s': %s", s->log_path, why);
}

static bool open_log(struct service *s, struct err *err)
{
    char why[256];
    const struct service_options *o = &s->options;
    bool has_own = o->journal == NULL && o->state != NULL;
    /* That it cannot be saved should not be found out at the end. */
    if (o->state != NULL && !saved_file_try(o->state, why, sizeof why))
        return err_set(err, EXIT_INPUT, "%s: cannot write it: %s", o->state, why);
    s->log_path = o->journal != NULL ? mem_text(o->journal)
                  : has_own          ? mem_format("%s.log", o->state)
                                     : NULL;
    if (!take_log(s, err))
        return false;
    return fact_log_scan(&s->log, why, sizeof why) ||
           err_set(err, EXIT_INPUT, "%s: %s", s->log_path, why);
}

/* ---- opening and closing ---- */

bool service_open(struct service *s, const struct service_options *options, struct err *err)
{
    *s = (struct service){.options = *options, .now = INT64_MIN};
    s->log.file = -1;
    s->is_stopped = true;
    if (!replay_core_choose(&s->core, options->policy, &s->policy_file, options->seed, err))
        return false;
    if (policy_placement_counts(&s->core.config))
        return err_set(
            err, EXIT_INPUT,
            "the placement 'count' names no nodes, so its decisions cannot be carried out");
    s->state.requeues_whole = (policy_traits(&s->core.config) & POLICY_TRAIT_WHOLE) != 0;
    if (!are_two_files(s, err) || !open_log(s, err) || !are_two_files(s, err) ||
        !service_recover(s, err) || !service_is_sound(s, err) || !save_at_open(s, err))
        return false;
    s->is_stopped = false;
    return (fact_log_commit(&s->log) && s->log.error == 0) || service_is_sound(s, err);
}

bool service_is_sound(const struct service *s, struct err *err)
{
    if (s->failure.code != 0) {
        *err = s->failure;
        return false;
    }
    return s->log.error == 0 || err_set(err, EXIT_INPUT, "cannot write the journal '%s': %s",
                                        s->log_path, strerror(s->log.error));
}

/* With a section of its own the journal has gone on, and the state of the policy before is one of
 * the past. */
bool service_commit(struct service *s)
{
    uint64_t facts;
    bool ok = fact_log_commit(&s->log);
    if (ok && s->has_section && s->options.state != NULL) {
        s->has_section = false;
        (void)service_save(s, false, &facts, &s->failure); /* if it fails the service ends */
    }
    return ok;
}

void service_rest(struct service *s)
{
    if (s->options.sync_ms > 0)
        (void)fact_log_sync(&s->log);
}

bool service_close(struct service *s, struct err *err)
{
    uint64_t facts;
    bool is_open = s->core.policy != NULL && err->code == 0;
    bool ok = !is_open ||
              (service_is_sound(s, err) && (keeps_state(s) || service_save(s, true, &facts, err)));
    bool written = fact_log_close(&s->log);
    if (ok && !written && is_open)
        ok = service_is_sound(s, err);
    fact_line_fini(&s->line);
    service_state_fini(&s->state);
    replay_places_fini(&s->places);
    replay_core_close(&s->core);
    policy_file_close(&s->policy_file);
    text_fini(&s->section);
    free(s->log_path);
    free(s->note);
    return ok;
}
