/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests and answers; see service.h. */
#include "sim/serve/service.h"

#include "policies/facts/write.h"
#include "scenarios/json/scan.h"
#include "sim/base/mem.h"
#include "sim/serve/recall.h"
#include "sim/serve/snapshot.h"
#include "sim/serve/times.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 1024 /* bytes: each decision about a task has two names */

/* ---- answers ---- */

/* "{" and the client's own "id", if it gave one. */
static void begin_answer(const struct service *s, struct text *answer, bool ok)
{
    const cJSON *id =
        s->line.tree != NULL ? cJSON_GetObjectItemCaseSensitive(s->line.tree, "id") : NULL;
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

/* ---- facts ---- */

static void put_number(struct text *answer, const char *key, uint64_t value)
{
    text_put(answer, ", \"");
    text_put(answer, key);
    text_put(answer, "\": ");
    text_natural(answer, value);
}

static void put_time(struct text *answer, const char *key, policy_time at, policy_time none)
{
    text_put(answer, ", \"");
    text_put(answer, key);
    text_put(answer, "\": ");
    if (at == none)
        text_put(answer, "null");
    else
        text_number(answer, at);
}

/* The number that the client gives its request; -1: none. */
static bool read_record(struct service *s, int64_t *record, struct text *answer)
{
    *record = -1;
    if (fact_line_number(&s->line, "record", 1, INT64_MAX - 1, false, record))
        return true;
    fail(s, answer, s->line.error);
    return false;
}

static void accept_fact(const struct service *s, struct text *answer, int64_t record,
                        bool is_repeated)
{
    begin_answer(s, answer, true);
    if (record > 0)
        put_number(answer, "record", (uint64_t)record);
    if (is_repeated)
        text_put(answer, ", \"repeated\": true");
    end_answer(answer);
}

/* True for a fact that needs no record number to be recognised as a repetition. */
static bool is_there(const struct service *s, const struct fact *fact)
{
    return service_state_has(&s->state, fact);
}

static void take_fact(struct service *s, const struct fact *fact, int64_t record,
                      struct text *answer)
{
    char why[256];
    if (record < 0 && is_there(s, fact))
        accept_fact(s, answer, -1, true);
    else if (!service_fact_is_plausible(s, fact, why, sizeof why))
        fail(s, answer, why);
    else if (service_tell(s, fact) != POLICY_OK)
        fail(s, answer, s->core.map.error);
    else
        accept_fact(s, answer, (int64_t)s->log.records, false);
}

static void answer_fact(struct service *s, struct text *answer)
{
    const struct fact *fact = &s->line.fact;
    struct recall recall = {.count = 0};
    if (fact->name != NULL && strlen(fact->name) > LONGEST_NAME) {
        fail(s, answer, "'name': expected at most 1024 bytes");
    } else if (fact->kind == FACT_POLICY || fact->kind == FACT_END) {
        fail(s, answer, "the policy is chosen when the service starts");
    } else if (fact->kind == FACT_DECIDE) {
        fail(s, answer, "ask for a decision with {\"do\": \"decide\", \"t_ms\": ...}");
    } else if (read_record(s, &recall.record, answer)) {
        enum recall_verdict verdict = service_recall(s, &recall, fact);
        if (verdict == RECALL_NEXT)
            take_fact(s, fact, recall.record, answer);
        else if (verdict == RECALL_REPEATED)
            accept_fact(s, answer, recall.record, true);
        else
            fail(s, answer, recall.error);
    }
    service_recall_fini(&recall);
}

/* ---- decisions ---- */

static void log_decisions(struct service *s, policy_time at)
{
    service_begin_section(s);
    fact_log_fact(&s->log,
                  &(struct fact){.kind = FACT_DECIDE, .at = at, .count = (uint32_t)s->core.count});
    for (size_t i = 0; i < s->core.count; i++)
        fact_log_decision(&s->log, &s->core.decisions[i]);
    service_decided(s);
}

static void list_decisions(const struct service *s, struct text *list)
{
    for (size_t i = 0; i < s->core.count; i++) {
        text_put(list, i > 0 ? ", " : "");
        fact_write_decision(list, &s->core.decisions[i]);
        text_put(list, "}");
    }
}

static void accept_decide(const struct service *s, struct text *answer, const struct recall *recall,
                          bool is_repeated)
{
    uint64_t last = (uint64_t)recall->record + recall->count;
    begin_answer(s, answer, true);
    put_number(answer, "record", (uint64_t)recall->record);
    if (is_repeated)
        text_put(answer, ", \"repeated\": true");
    text_put(answer, ", \"decisions\": [");
    text_bytes(answer, recall->decisions.bytes, recall->decisions.length);
    text_put(answer, "]");
    put_time(answer, "next_ms", policy_next_wakeup(s->core.policy), INT64_MAX);
    put_number(answer, "records", s->options.shadow ? s->log.records : last);
    end_answer(answer);
}

static int tell(void *self, const struct fact *fact)
{
    return service_tell(self, fact);
}

/* The service ends when the policy cannot decide: its actions before the failure are not a
 * decision. */
static void decide_now(struct service *s, policy_time at, struct recall *recall,
                       struct text *answer)
{
    if (!replay_core_decide(&s->core, at, &s->failure)) {
        fail(s, answer, s->failure.msg);
        return;
    }
    s->now = at;
    log_decisions(s, at);
    recall->count = s->core.count;
    recall->record = (int64_t)(s->log.records - recall->count);
    list_decisions(s, &recall->decisions);
    if (s->options.shadow)
        (void)replay_take_over(&s->core, &s->places, NULL, 0, (struct replay_teller){tell, s});
    accept_decide(s, answer, recall, false);
}

static void decide(struct service *s, struct text *answer)
{
    char why[256];
    struct fact fact = {.kind = FACT_DECIDE};
    struct recall recall = {.count = 0};
    if (!fact_line_number(&s->line, "t_ms", INT64_MIN, INT64_MAX, true, &fact.at)) {
        fail(s, answer, s->line.error);
    } else if (read_record(s, &recall.record, answer)) {
        enum recall_verdict verdict = service_recall(s, &recall, &fact);
        if (verdict == RECALL_REPEATED)
            accept_decide(s, answer, &recall, true);
        else if (verdict == RECALL_WRONG)
            fail(s, answer, recall.error);
        else if (fact.at < s->now)
            fail(s, answer, "'t_ms' is before the last fact: time does not go back");
        else if (!service_time_is_plausible(s, fact.at, why, sizeof why))
            fail(s, answer, why);
        else
            decide_now(s, fact.at, &recall, answer);
    }
    service_recall_fini(&recall);
}

/* ---- questions ---- */

static void status(struct service *s, struct text *answer)
{
    begin_answer(s, answer, true);
    put_number(answer, "records", s->log.records);
    text_put(answer, ", \"chain\": ");
    if (s->log.chain.last[0] != '\0')
        text_quoted(answer, s->log.chain.last);
    else
        text_put(answer, "null");
    put_number(answer, "first", service_first_record(s));
    if (s->options.state != NULL)
        put_number(answer, "saved", s->saved);
    put_time(answer, "t_ms", s->now, INT64_MIN);
    put_time(answer, "next_ms", policy_next_wakeup(s->core.policy), INT64_MAX);
    text_put(answer, ", \"policy\": ");
    text_quoted(answer, s->policy_file.name != NULL ? s->policy_file.name : s->options.policy);
    end_answer(answer);
}

static void decisions(struct service *s, struct text *answer)
{
    char why[256];
    int64_t after = 0;
    size_t before = answer->length;
    if (!fact_line_number(&s->line, "after", 0, INT64_MAX - 1, true, &after)) {
        fail(s, answer, s->line.error);
        return;
    }
    begin_answer(s, answer, true);
    if (service_recall_decisions(s, (uint64_t)after, answer, why, sizeof why)) {
        end_answer(answer);
        return;
    }
    answer->length = before;
    fail(s, answer, why);
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
    const char *reason =
        replay_core_reason(&s->core, (policy_job){(uint32_t)job, (uint32_t)gen}, &detail);
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
    const char *path = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(s->line.tree, "file"));
    return path == NULL || !service_owns_file(s, path) ||
           err_set(err, EXIT_INPUT, "'file': '%s' is the journal or the state of this service",
                   path);
}

static void snapshot(struct service *s, struct text *answer)
{
    struct err err = {0};
    uint64_t facts = 0;
    struct text shot = {.length = 0};
    struct fact_option *options;
    const struct fact_policy about = service_policy(s, &options);
    const struct service_source from = {&s->state, s->core.policy, &s->core.map, &about, s->now};
    bool ok = s->options.state != NULL
                  ? service_save(s, false, &facts, &err)
                  : err_set(&err, EXIT_INPUT, "there is no --state FILE to save it to");
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
    {"decide", decide},   {"status", status},     {"decisions", decisions},
    {"explain", explain}, {"snapshot", snapshot}, {"stop", stop},
};

static void answer_request(struct service *s, struct text *answer)
{
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].verb, s->line.verb) == 0) {
            verbs[i].answer(s, answer);
            return;
        }
    fail(s, answer, "'do': expected decide, status, decisions, explain, snapshot or stop");
}

/* Input that the parser would accept, but truncate or pass on to readers of the journal. */
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

/* Nothing may be acted on that the journal lacks: from then on every answer is this error. */
void service_answer(struct service *s, const char *bytes, size_t n, struct text *answer)
{
    size_t before = answer->length;
    struct err err = {.code = 0};
    if (refuse_unclean(bytes, n, answer))
        return;
    if (service_is_sound(s, &err))
        answer_line(s, bytes, n, answer);
    else
        (void)fact_line_read(&s->line, bytes, n); /* for its "id" */
    if (s->log.error == 0 && err.code == 0)
        return;
    (void)service_is_sound(s, &err);
    answer->length = before;
    fail(s, answer, err.msg);
}
