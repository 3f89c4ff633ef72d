/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests and answers; see service.h. */
#include "sim/cli/service.h"

#include "policies/adapters/facts/write.h"
#include "scenarios/json_scan.h"
#include "sim/base/mem.h"
#include "sim/base/out.h"
#include "sim/cli/service_snapshot.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LONGEST_NAME 1024 /* bytes: each decision about a task has two names */

/* ---- the policy in the journal ---- */

/* As the journal names it: options that a file set, in its order. To be freed. */
static struct fact_option *options_of(const struct service *s)
{
    const struct policy_file *file = &s->policy_file;
    struct fact_option *options = mem_alloc(file->option_count + 1, sizeof *options);
    for (size_t i = 0; i < file->option_count; i++)
        options[i] = (struct fact_option){file->option[i].name, file->option[i].value};
    return options;
}

static struct fact_policy policy_of(const struct service *s, const struct fact_option *options)
{
    return (struct fact_policy){.version = FACTS_VERSION,
                                .contract = POLICY_VERSION,
                                .name = s->policy_file.name != NULL ? s->policy_file.name : s->options.policy,
                                .seed = s->options.seed,
                                .options = options,
                                .option_count = (uint32_t)s->policy_file.option_count};
}

/* ---- telling ---- */

static int tell(void *self, const struct fact *fact)
{
    struct service *s = self;
    int status = replay_core_tell(&s->core, fact);
    if (status != POLICY_OK)
        return status;
    s->has_news = true;
    s->now = fact->at > s->now ? fact->at : s->now;
    fact_log_fact(&s->log, fact);
    if (s->options.state != NULL)
        service_state_fact(&s->state, fact);
    if (s->options.shadow)
        replay_places_fact(&s->places, fact);
    return status;
}

/* ---- state ---- */

struct saving {
    struct chain chain;
    struct out *out;
};

static void save_line(void *self, struct text *line)
{
    struct saving *saving = self;
    chain_end_line(&saving->chain, line);
    BUG_ON(line->failed);
    out_bytes(saving->out, line->bytes, line->length);
}

static bool save(const struct service *s, uint64_t *facts, struct err *err)
{
    struct saving saving = {.out = out_open(s->options.state, err)};
    if (saving.out == NULL)
        return false;
    struct text line = {.length = 0};
    struct fact_option *options = options_of(s);
    const struct fact_policy policy = policy_of(s, options);
    chain_begin(&saving.chain);
    fact_write(&line, &(struct fact){.kind = FACT_POLICY, .at = s->now, .spec = &policy});
    save_line(&saving, &line);
    text_fini(&line);
    free(options);
    *facts = service_state_tell(&s->state, s->core.policy, &s->core.map, s->now,
                                (struct state_sink){save_line, &saving});
    out_sync(saving.out);
    return out_close(saving.out, err);
}

static bool same_options(const struct fact_policy *a, const struct fact_policy *b)
{
    bool same = a->option_count == b->option_count;
    for (uint32_t i = 0; i < a->option_count && same; i++)
        same = strcmp(a->options[i].name, b->options[i].name) == 0 &&
               strcmp(a->options[i].value, b->options[i].value) == 0;
    return same;
}

/* Whether the state is that of a service with this policy. */
static bool is_same_policy(const struct service *s, const struct fact_policy *then)
{
    struct fact_option *options = options_of(s);
    const struct fact_policy now = policy_of(s, options);
    bool same = strcmp(now.name, then->name) == 0 && now.seed == then->seed && same_options(&now, then);
    free(options);
    return same;
}

/* What another policy remembered is told as far as this one remembers the same, but for what its last decision saw. */
static bool is_passed_over(struct service *s, const struct fact *fact)
{
    const struct policy_history *h = fact->spec;
    if (fact->kind == FACT_POLICY) {
        s->is_same_policy = is_same_policy(s, fact->spec);
        return true;
    }
    return fact->kind == FACT_HISTORY && !s->is_same_policy && policy_history_is_of_then(h->kind);
}

static bool restore_line(struct service *s, const struct journal_file *file, struct err *err)
{
    const struct fact *fact = &file->line.fact;
    if (file->line.kind != LINE_FACT || fact->kind == FACT_DECIDE)
        return err_set(err, EXIT_INPUT,
                       "%s:%" PRIu64 ": a state has facts and no decisions: is it a journal?", file->path,
                       file->number);
    if (is_passed_over(s, fact))
        return true;
    s->restored++;
    int status = tell(s, fact);
    return status == POLICY_OK || (fact->kind == FACT_HISTORY && status == POLICY_UNSUPPORTED) ||
           err_set(err, EXIT_INPUT, "%s:%" PRIu64 ": the policy does not take this fact: %s", file->path,
                   file->number, s->core.map.error);
}

static bool restore(struct service *s, struct err *err)
{
    struct journal_file file;
    bool end = false;
    if (s->options.state == NULL || (access(s->options.state, F_OK) != 0 && errno == ENOENT))
        return true;
    bool ok = journal_file_open(&file, s->options.state, err);
    while (ok && (ok = journal_file_next(&file, &end, err)) && !end)
        ok = restore_line(s, &file, err);
    if (ok && file.number == 0)
        ok = err_set(err, EXIT_INPUT, "%s: expected a state, got an empty file", s->options.state);
    if (ok && file.torn > 0)
        ok = err_set(err, EXIT_INPUT, "%s: its last line is not whole", s->options.state);
    journal_file_close(&file);
    return ok;
}

/* What another policy remembers is in the state alone, so it stands until there is something new to be saved. */
static bool keeps_state(const struct service *s)
{
    return s->options.state == NULL || (s->restored > 0 && !s->is_same_policy && !s->has_news);
}

/* That it cannot be saved should not be found out at the end. */
static bool save_at_open(const struct service *s, struct err *err)
{
    uint64_t facts;
    if (!keeps_state(s))
        return save(s, &facts, err);
    struct out *out = s->options.state != NULL ? out_open(s->options.state, err) : NULL;
    bool ok = s->options.state == NULL || out != NULL;
    out_discard(out);
    return ok;
}

/* ---- opening and closing ---- */

static bool open_log(struct service *s, struct err *err)
{
    char why[128];
    struct fact_option *options = options_of(s);
    const struct fact_policy policy = policy_of(s, options);
    bool ok = fact_log_open(&s->log, s->options.journal, why, sizeof why);
    s->log.sync_ms = s->options.sync_ms;
    if (ok)
        fact_log_begin(&s->log, INT64_MIN, &policy);
    free(options);
    return ok || err_set(err, EXIT_INPUT, "cannot write the journal '%s': %s", s->options.journal, why);
}

static bool is_file(const struct stat *file, const char *path)
{
    struct stat other;
    return S_ISREG(file->st_mode) && stat(path, &other) == 0 && file->st_dev == other.st_dev &&
           file->st_ino == other.st_ino;
}

static bool is_journal(const struct service *s, const char *path)
{
    struct stat journal;
    return s->log.file >= 0 && fstat(s->log.file, &journal) == 0 && is_file(&journal, path);
}

/* The state would replace the journal. Asked before the journal is opened, too, which would write into the state. */
static bool are_two_files(const struct service *s, struct err *err)
{
    struct stat journal;
    bool same =
        s->options.state != NULL && (is_journal(s, s->options.state) ||
                                     (s->options.journal != NULL && stat(s->options.journal, &journal) == 0 &&
                                      is_file(&journal, s->options.state)));
    return !same || err_set(err, EXIT_INPUT, "'%s' and '%s': expected a journal and a state of their own",
                            s->options.journal, s->options.state);
}

bool service_open(struct service *s, const struct service_options *options, struct err *err)
{
    *s = (struct service){.options = *options, .now = INT64_MIN};
    s->log.file = -1;
    s->is_stopped = true;
    if (!replay_core_choose(&s->core, options->policy, &s->policy_file, options->seed, err))
        return false;
    if (policy_placement_counts(&s->core.config))
        return err_set(err, EXIT_INPUT,
                       "the placement 'count' names no nodes, so nobody could carry its decisions out");
    s->state.is_line = s->core.config.quota.actions == 0;
    if (!are_two_files(s, err) || !open_log(s, err) || !are_two_files(s, err) || !restore(s, err))
        return false;
    s->has_news = false;
    if (!save_at_open(s, err))
        return false;
    s->is_stopped = false;
    return service_is_sound(s, err);
}

bool service_is_sound(const struct service *s, struct err *err)
{
    if (s->failure.code != 0) {
        *err = s->failure;
        return false;
    }
    return s->log.error == 0 || err_set(err, EXIT_INPUT, "cannot write the journal '%s': %s",
                                        s->options.journal, strerror(s->log.error));
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
    bool ok = !is_open || keeps_state(s) || save(s, &facts, err);
    bool written = fact_log_close(&s->log);
    if (ok && !written && is_open)
        ok = service_is_sound(s, err);
    fact_line_fini(&s->line);
    service_state_fini(&s->state);
    replay_places_fini(&s->places);
    replay_core_close(&s->core);
    policy_file_close(&s->policy_file);
    return ok;
}

/* ---- answers ---- */

/* "{" and the client's own "id", if it gave one. */
static void begin_answer(const struct service *s, struct text *answer, bool ok)
{
    const cJSON *id = s->line.tree != NULL ? cJSON_GetObjectItemCaseSensitive(s->line.tree, "id") : NULL;
    char *words = id != NULL ? cJSON_PrintUnformatted(id) : NULL;
    text_put(answer, "{");
    if (words != NULL) {
        text_put(answer, "\"id\": ");
        text_put(answer, words);
        text_put(answer, ", ");
    }
    text_put(answer, ok ? "\"ok\": true" : "\"ok\": false");
    cJSON_free(words);
}

static void end_answer(struct text *answer)
{
    text_put(answer, "}\n");
}

static void fail(const struct service *s, struct text *answer, const char *why)
{
    begin_answer(s, answer, false);
    text_put(answer, ", \"error\": ");
    text_quoted(answer, why);
    end_answer(answer);
}

void service_refuse(const char *why, struct text *answer)
{
    fail(&(struct service){.line.tree = NULL}, answer, why);
}

static void answer_fact(struct service *s, struct text *answer)
{
    const struct fact *fact = &s->line.fact;
    if (fact->name != NULL && strlen(fact->name) > LONGEST_NAME) {
        fail(s, answer, "'name': expected at most 1024 bytes");
    } else if (fact->kind == FACT_POLICY || fact->kind == FACT_DECIDE) {
        fail(s, answer,
             fact->kind == FACT_POLICY ? "the policy is chosen when the service starts"
                                       : "a decision is asked for with {\"do\": \"decide\", \"t_ms\": ...}");
    } else if (tell(s, fact) != POLICY_OK) {
        fail(s, answer, s->core.map.error);
    } else {
        begin_answer(s, answer, true);
        end_answer(answer);
    }
}

static void log_decisions(struct service *s, policy_time at)
{
    fact_log_fact(&s->log, &(struct fact){.kind = FACT_DECIDE, .at = at, .count = (uint32_t)s->core.count});
    for (size_t i = 0; i < s->core.count; i++) {
        fact_log_decision(&s->log, &s->core.decisions[i]);
        if (s->options.state != NULL)
            service_state_decision(&s->state, &s->core.decisions[i]);
    }
}

static void put_decisions(const struct service *s, struct text *answer)
{
    text_put(answer, ", \"decisions\": [");
    for (size_t i = 0; i < s->core.count; i++) {
        text_put(answer, i > 0 ? ", " : "");
        fact_write_decision(answer, &s->core.decisions[i]);
        text_put(answer, "}");
    }
    text_put(answer, "], \"next_ms\": ");
    policy_time next = policy_next_wakeup(s->core.policy);
    if (next == INT64_MAX)
        text_put(answer, "null");
    else
        text_number(answer, next);
}

/* When the policy cannot decide the service ends: what it did before it failed is nobody's decision. */
static void decide(struct service *s, struct text *answer)
{
    int64_t at = 0;
    if (!fact_line_number(&s->line, "t_ms", INT64_MIN, INT64_MAX, true, &at)) {
        fail(s, answer, s->line.error);
        return;
    }
    if (at < s->now) {
        fail(s, answer, "'t_ms' is before what was told last: time does not go back");
        return;
    }
    if (!replay_core_decide(&s->core, at, &s->failure)) {
        fail(s, answer, s->failure.msg);
        return;
    }
    s->has_news = true;
    s->now = at;
    log_decisions(s, at);
    if (s->core.count > 0)
        (void)fact_log_sync(&s->log); /* if it fails that is the answer */
    begin_answer(s, answer, true);
    put_decisions(s, answer);
    end_answer(answer);
    if (s->options.shadow)
        (void)replay_take_over(&s->core, &s->places, NULL, 0, (struct replay_teller){tell, s});
}

static void explain(struct service *s, struct text *answer)
{
    int64_t job = 0, gen = 0;
    char *detail = NULL;
    if (!fact_line_number(&s->line, "job", 0, UINT32_MAX, true, &job) ||
        !fact_line_number(&s->line, "gen", 0, UINT32_MAX, false, &gen)) {
        fail(s, answer, s->line.error);
        return;
    }
    const char *reason = replay_core_reason(&s->core, (policy_job){(uint32_t)job, (uint32_t)gen}, &detail);
    if (reason == NULL) {
        fail(s, answer, "there is no such job");
        return;
    }
    begin_answer(s, answer, true);
    text_put(answer, ", \"reason\": ");
    text_quoted(answer, reason);
    text_put(answer, ", \"detail\": ");
    text_quoted(answer, detail);
    end_answer(answer);
    free(detail);
}

/* A snapshot may not replace the journal that is being written, or the state. */
static bool spares_own_files(const struct service *s, struct err *err)
{
    struct stat state;
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s->line.tree, "file"));
    bool own = path != NULL &&
               (is_journal(s, path) || (stat(s->options.state, &state) == 0 && is_file(&state, path)));
    return !own || err_set(err, EXIT_INPUT, "'file': '%s' is the journal or the state of this service", path);
}

static void snapshot(struct service *s, struct text *answer)
{
    struct err err = {0};
    uint64_t facts = 0;
    struct text shot = {.length = 0};
    struct fact_option *options = options_of(s);
    const struct fact_policy about = policy_of(s, options);
    const struct service_source from = {&s->state, s->core.policy, &s->core.map, &about, s->now};
    bool ok = s->options.state != NULL
                  ? save(s, &facts, &err)
                  : err_set(&err, EXIT_INPUT, "there is no --state FILE to save it to: nothing is kept");
    ok = ok && spares_own_files(s, &err) && service_snapshot_put(&from, s->line.tree, &shot, &err);
    free(options);
    if (!ok) {
        fail(s, answer, err.msg);
    } else {
        begin_answer(s, answer, true);
        text_put(answer, ", \"facts\": ");
        text_natural(answer, facts);
        text_bytes(answer, shot.bytes, shot.length);
        end_answer(answer);
    }
    text_fini(&shot);
}

static void stop(struct service *s, struct text *answer)
{
    s->is_stopped = true;
    begin_answer(s, answer, true);
    end_answer(answer);
}

static const struct {
    const char *verb;
    void (*answer)(struct service *, struct text *);
} verbs[] = {
    {"decide",   decide  },
    {"explain",  explain },
    {"snapshot", snapshot},
    {"stop",     stop    },
};

static void answer_request(struct service *s, struct text *answer)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].verb, s->line.verb) == 0) {
            verbs[i].answer(s, answer);
            return;
        }
    fail(s, answer, "'do': expected decide, explain, snapshot or stop");
}

/* What the parser would take, and cut or pass on to those who read the journal. */
static bool refuse_unclean(const char *bytes, size_t n, struct text *answer)
{
    size_t offset;
    const char *what;
    if (json_scan_clean(bytes, n, &offset, &what))
        return false;
    char *why = mem_format("column %zu: %s", offset + 1, what);
    service_refuse(why, answer);
    free(why);
    return true;
}

static void answer_line(struct service *s, const char *bytes, size_t n, struct text *answer)
{
    if (!fact_line_read(&s->line, bytes, n))
        fail(s, answer, s->line.error);
    else if (s->line.kind == LINE_FACT)
        answer_fact(s, answer);
    else if (s->line.kind == LINE_REQUEST)
        answer_request(s, answer);
    else
        fail(s, answer, "decisions are made here, not told");
}

/* What the journal does not have is nobody's to act on: from then on there is no other answer. */
void service_answer(struct service *s, const char *bytes, size_t n, struct text *answer)
{
    size_t before = answer->length;
    struct err err = {.code = 0};
    if (refuse_unclean(bytes, n, answer))
        return;
    if (s->log.error == 0)
        answer_line(s, bytes, n, answer);
    if (s->log.error == 0)
        return;
    (void)service_is_sound(s, &err);
    answer->length = before;
    fail(s, answer, err.msg);
}
