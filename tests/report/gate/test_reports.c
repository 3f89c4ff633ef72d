/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reports of gates of every verdict, with names that every format must escape: each is well formed,
 * contains the verdict, and has the command that reproduces the failure.
 */
#include "report/gate/findings.h"
#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "tests/lib/harness.h"
#include "tests/report/gate/made.h"

#include <cjson/cJSON.h>
#include <csv.h>
#include <stdlib.h>
#include <string.h>

/* Statistics with one row of each verdict; other verdicts from their stages. */
static void decide(struct gate *g, enum gate_verdict verdict)
{
    static const double harm[] = {0, 2.65, 1.9, 5, 0};
    static const enum gate_stage stages[GATE_VERDICTS] = {
        GATE_IDENTITY,      GATE_STATISTICS, GATE_STATISTICS, GATE_INVARIANTS,
        GATE_COMPATIBILITY, GATE_IDENTITY,   GATE_PROCESSES};
    made_begin(g, 2, 4, 2);
    g->metrics[3].guard = true;
    for (size_t s = 0; s < 2; s++)
        for (int k = 0; k < 20; k++) {
            double a[5] = {10, 10, 10, 10, 10}, b[5];
            for (int m = 0; m < 5; m++)
                b[m] = 10 + (verdict == GATE_INCONCLUSIVE && m == 1 ? 0 : harm[m]) +
                       (k % 2 ? 0.5 : -0.5);
            made_replica(g, s, SIDE_A, a, "a");
            made_replica(g, s, SIDE_B, b, "b");
        }
    g->scenarios[1].sides[SIDE_B].replicas[0].values[2].at_least = true;
    if (stages[verdict] == GATE_PROCESSES)
        gate_find(g, (struct gate_finding){.kind = GATE_CRASH,
                                           .side = SIDE_A,
                                           .scenario = 1,
                                           .replica = 3,
                                           .message = mem_text("because of " MADE_NAME),
                                           .detail = mem_text(MADE_NAME "\n" MADE_NAME)});
    if (stages[verdict] == GATE_PROCESSES)
        ck_assert(gate_broken(g));
    else if (stages[verdict] == GATE_STATISTICS)
        gate_judge(g);
    else
        gate_decide(g, stages[verdict], verdict, mem_text("because of " MADE_NAME));
    ck_assert_int_eq(g->verdict, verdict);
    g->difference =
        (struct gate_difference){.known = true, .scenario = 1, .replica = 2, .number = 68};
    for (int side = 0; side < SIDES; side++) {
        g->difference.sides[side].at_ms = side == SIDE_A ? 1234567 : INT64_MAX;
        g->difference.sides[side].words = mem_text("start job '" MADE_NAME "'");
        g->difference.sides[side].other = side == SIDE_A ? mem_text("waits: " MADE_NAME) : NULL;
    }
}

static char *report_of(const struct gate *g, void (*write)(const struct gate *, struct out *))
{
    struct out *out = out_memory();
    write(g, out);
    char *text = mem_text(out_memory_text(out, NULL));
    out_discard(out);
    return text;
}

static size_t count_of(const char *text, const char *what)
{
    size_t n = 0;
    for (const char *at = strstr(text, what); at != NULL; at = strstr(at + 1, what))
        n++;
    return n;
}

START_TEST(json)
{
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_json);
    cJSON *root = cJSON_ParseWithOpts(text, NULL, true);
    ck_assert_msg(root != NULL, "%s", text);
    ck_assert_str_eq(cJSON_GetObjectItem(root, "verdict")->valuestring, gate_verdict_names[_i]);
    ck_assert_str_eq(cJSON_GetObjectItem(root, "candidate")->valuestring, MADE_NAME);
    ck_assert_str_eq(cJSON_GetObjectItem(root, "command")->valuestring, g.command);
    const cJSON *findings = cJSON_GetObjectItem(root, "findings");
    ck_assert_int_eq(cJSON_GetArraySize(findings), _i == GATE_BASE_FAILED);
    if (_i == GATE_BASE_FAILED) {
        const cJSON *finding = findings->child;
        ck_assert_str_eq(cJSON_GetObjectItem(finding, "kind")->valuestring, "crash");
        ck_assert_str_eq(cJSON_GetObjectItem(finding, "side")->valuestring, "base");
        ck_assert_str_eq(cJSON_GetObjectItem(finding, "scenario")->valuestring, MADE_NAME);
        ck_assert_int_eq(cJSON_GetObjectItem(finding, "replica")->valueint, 3);
    }
    const cJSON *rows = cJSON_GetObjectItem(root, "metrics");
    ck_assert_int_eq(cJSON_GetArraySize(rows), g.stage == GATE_STATISTICS ? 8 : 0);
    const cJSON *seeds =
        cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(root, "scenarios"), 0), "seeds");
    ck_assert_str_eq(cJSON_GetArrayItem(seeds, 100 % 20)->valuestring, "18446744073709551515");
    cJSON_Delete(root);
    free(text);
    gate_fini(&g);
}
END_TEST

/* ---- XML: elements nest, attributes are quoted, and no forbidden characters occur ---- */

static const char *attributes_end(const char *p)
{
    while (*p == ' ') {
        p += 1 + strcspn(p + 1, "= />");
        ck_assert_msg(p[0] == '=' && p[1] == '"', "attribute at: %.40s", p);
        p += 2 + strcspn(p + 2, "\"<");
        ck_assert_msg(*p == '"', "attribute at: %.40s", p);
        p++;
    }
    return p;
}

static void check_xml(const char *text)
{
    char stack[8][32];
    int depth = 0;
    const char *p = strstr(text, "?>");
    ck_assert(p != NULL && strncmp(text, "<?xml ", 6) == 0);
    for (p += 2; *p != '\0';) {
        if (*p == '&') {
            ck_assert_msg(strncmp(p, "&lt;", 4) == 0 || strncmp(p, "&gt;", 4) == 0 ||
                              strncmp(p, "&amp;", 5) == 0 || strncmp(p, "&quot;", 6) == 0 ||
                              strncmp(p, "&#10;", 5) == 0 || strncmp(p, "&#39;", 5) == 0,
                          "entity: %.40s", p);
            p++;
        } else if (*p != '<') {
            ck_assert_msg((unsigned char)*p >= ' ' || *p == '\n', "character %d", *p);
            p++;
        } else {
            bool ends = p[1] == '/';
            const char *name = p + 1 + ends;
            size_t n = strcspn(name, " >");
            ck_assert(n > 0 && n < sizeof stack[0]);
            if (ends) {
                ck_assert(depth > 0 && strlen(stack[depth - 1]) == n &&
                          strncmp(stack[depth - 1], name, n) == 0);
                depth--;
            } else {
                ck_assert_int_lt(depth, 8);
                memcpy(stack[depth], name, n);
                stack[depth++][n] = '\0';
            }
            p = ends ? name + n : attributes_end(name + n);
            ck_assert_msg(*p == '>', "tag ends at: %.40s", p);
            p++;
        }
    }
    ck_assert_int_eq(depth, 0);
}

START_TEST(junit)
{
    static const struct {
        size_t cases, failures, errors, skipped;
    } has[GATE_VERDICTS] = {
        [GATE_PASS] = {4, 0, 0, 0},          [GATE_FAIL] = {13, 2, 0, 2},
        [GATE_INCONCLUSIVE] = {13, 0, 0, 2}, [GATE_VIOLATED] = {5, 0, 1, 0},
        [GATE_INCOMPATIBLE] = {1, 0, 1, 0},  [GATE_DIFFERENT] = {4, 1, 0, 0},
        [GATE_BASE_FAILED] = {2, 0, 1, 0},
    };
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_junit);
    check_xml(text);
    ck_assert_uint_eq(count_of(text, "<testcase "), has[_i].cases);
    ck_assert_uint_eq(count_of(text, "<failure "), has[_i].failures);
    ck_assert_uint_eq(count_of(text, "<error "), has[_i].errors);
    ck_assert_uint_eq(count_of(text, "<skipped "), has[_i].skipped);
    ck_assert_uint_eq(count_of(text, "To reproduce: fauxfleet gate made.json"),
                      has[_i].failures + has[_i].errors);
    char *totals = mem_format("tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\"",
                              has[_i].cases, has[_i].failures, has[_i].errors, has[_i].skipped);
    ck_assert_msg(strstr(text, totals) != NULL, "%s", text);
    free(totals);
    free(text);
    gate_fini(&g);
}
END_TEST

/* ---- lines ---- */

static char *next_line(char **text)
{
    char *line = *text, *end = strchr(line, '\n');
    ck_assert_msg(end != NULL, "the last line has no end: %s", line);
    *end = '\0';
    *text = end + 1;
    return line;
}

START_TEST(tap)
{
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_tap), *rest = text;
    unsigned planned = 0, seen = 0, bad = 0, commands = 0;
    ck_assert_str_eq(next_line(&rest), "TAP version 13");
    ck_assert_int_eq(sscanf(next_line(&rest), "1..%u", &planned), 1);
    while (*rest != '\0') {
        const char *line = next_line(&rest);
        bool not_ok = strncmp(line, "not ok ", 7) == 0;
        unsigned number = 0;
        commands += strstr(line, "To reproduce: fauxfleet gate ") != NULL;
        if (*line == '#')
            continue;
        ck_assert_msg(not_ok || strncmp(line, "ok ", 3) == 0, "%s", line);
        ck_assert(sscanf(line + (not_ok ? 7 : 3), "%u - ", &number) == 1 && number == ++seen);
        ck_assert(count_of(line, "#") == count_of(line, "# SKIP "));
        bad += not_ok;
    }
    ck_assert_uint_eq(seen, planned);
    ck_assert_int_eq(bad > 0, _i != GATE_PASS && _i != GATE_INCONCLUSIVE);
    ck_assert_int_eq(commands > 0, _i != GATE_PASS);
    free(text);
    gate_fini(&g);
}
END_TEST

START_TEST(github)
{
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_github), *rest = text;
    size_t errors = 0;
    while (*rest != '\0') {
        const char *line = next_line(&rest), *properties = strchr(line + 2, ' '),
                   *data = strstr(line + 2, "::");
        ck_assert_msg(strncmp(line, "::", 2) == 0 && properties != NULL && data > properties, "%s",
                      line);
        bool error = strncmp(line, "::error file=made.json,", 23) == 0;
        ck_assert(error || strncmp(line, "::warning file=", 15) == 0 ||
                  strncmp(line, "::notice file=", 14) == 0);
        errors += error;
        ck_assert_int_eq(strstr(data, "%0ATo reproduce: fauxfleet gate made.json") != NULL,
                         error || (strncmp(line, "::w", 3) == 0 && *rest == '\0'));
        for (const char *p = strchr(line, '%'); p != NULL; p = strchr(p + 1, '%'))
            ck_assert_msg(strncmp(p, "%25", 3) == 0 || strncmp(p, "%0A", 3) == 0 ||
                              strncmp(p, "%3A", 3) == 0 || strncmp(p, "%2C", 3) == 0,
                          "%s", line);
    }
    ck_assert_int_eq(errors > 0, _i != GATE_PASS && _i != GATE_INCONCLUSIVE);
    ck_assert_int_eq(count_of(text, ",line=4,") > 0, _i == GATE_FAIL); /* of the second metric */
    free(text);
    gate_fini(&g);
}
END_TEST

struct seen_csv {
    size_t fields, rows, wrong;
};

static void on_field(void *text, size_t n, void *data)
{
    (void)text;
    (void)n;
    ((struct seen_csv *)data)->fields++;
}

static void on_row(int c, void *data)
{
    (void)c;
    struct seen_csv *seen = data;
    seen->wrong += seen->fields != 15;
    seen->fields = 0;
    seen->rows++;
}

START_TEST(csv_rows)
{
    struct gate g;
    struct csv_parser csv;
    struct seen_csv seen = {0};
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_csv);
    ck_assert_int_eq(csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI), 0);
    ck_assert_uint_eq(csv_parse(&csv, text, strlen(text), on_field, on_row, &seen), strlen(text));
    ck_assert_int_eq(csv_fini(&csv, on_field, on_row, &seen), 0);
    csv_free(&csv);
    ck_assert_uint_eq(seen.wrong, 0);
    ck_assert_uint_eq(seen.rows, g.stage == GATE_STATISTICS ? 9 : 1);
    ck_assert_uint_eq(count_of(text, "fauxfleet gate made.json"), _i == GATE_FAIL ? 2 : 0);
    free(text);
    gate_fini(&g);
}
END_TEST

/* Rows of a table have as many cells as its head; everything but code is escaped. */
START_TEST(markdown)
{
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_markdown), *rest = text;
    size_t rows = 0;
    ck_assert_msg(strstr(text, gate_verdict_words[_i]) != NULL, "%s", text);
    ck_assert_int_eq(strstr(text, "To reproduce:") != NULL, _i != GATE_PASS);
    bool code = false;
    while (*rest != '\0') {
        const char *line = next_line(&rest);
        bool fence = strncmp(line, "```", 3) == 0;
        code = code != fence;
        if (code || fence)
            continue;
        size_t bars = 0;
        for (const char *p = line; *p; p++)
            bars += *p == '|' && (p == line || p[-1] != '\\');
        ck_assert_msg(*line == '|' ? bars == 9 : bars == 0, "%s", line);
        ck_assert_msg(strstr(line, "<u>") == NULL, "%s", line);
        rows += *line == '|';
    }
    ck_assert(!code);
    ck_assert_uint_eq(rows, g.stage == GATE_STATISTICS ? 10 : 0);
    free(text);
    gate_fini(&g);
}
END_TEST

/* ---- SARIF 2.1.0: requirements of the standard's schema and section 3.27 for the objects written
 * ---- */

static const char *text_of(const cJSON *object, const char *key)
{
    const cJSON *text = cJSON_GetObjectItemCaseSensitive(object, key);
    ck_assert_msg(cJSON_IsString(text) && text->valuestring[0] != '\0', "%s", key);
    return text->valuestring;
}

static const char *message_of(const cJSON *object, const char *key)
{
    const cJSON *message = cJSON_GetObjectItemCaseSensitive(object, key);
    ck_assert_msg(cJSON_IsObject(message), "%s", key);
    return text_of(message, "text");
}

static void check_rules(const cJSON *rules)
{
    ck_assert(cJSON_IsArray(rules));
    for (const cJSON *rule = rules->child; rule != NULL; rule = rule->next) {
        (void)message_of(rule, "shortDescription");
        (void)message_of(rule, "fullDescription");
        for (const cJSON *other = rules->child; other != rule; other = other->next)
            ck_assert_str_ne(text_of(other, "id"), text_of(rule, "id"));
    }
}

/* Checks the places of a result; returns the number of logical ones. */
static int check_location(const cJSON *result)
{
    const cJSON *location = cJSON_GetObjectItemCaseSensitive(result, "locations")->child;
    const cJSON *physical = cJSON_GetObjectItemCaseSensitive(location, "physicalLocation");
    const cJSON *region = cJSON_GetObjectItemCaseSensitive(physical, "region");
    const cJSON *logical = cJSON_GetObjectItemCaseSensitive(location, "logicalLocations");
    ck_assert_str_eq(text_of(cJSON_GetObjectItemCaseSensitive(physical, "artifactLocation"), "uri"),
                     "made.json");
    ck_assert_int_ge(cJSON_GetObjectItemCaseSensitive(region, "startLine")->valueint, 1);
    for (const cJSON *one = logical != NULL ? logical->child : NULL; one != NULL; one = one->next) {
        (void)text_of(one, "kind");
        ck_assert(strstr(text_of(one, "fullyQualifiedName"), text_of(one, "name")) != NULL);
    }
    return cJSON_GetArraySize(logical);
}

/* "fail" has a level; the other kinds have none but "none". */
static void check_result(const cJSON *result, const cJSON *rules, size_t levels[3])
{
    const char *kind = text_of(result, "kind"), *level = text_of(result, "level");
    const cJSON *rule =
        cJSON_GetArrayItem(rules, cJSON_GetObjectItemCaseSensitive(result, "ruleIndex")->valueint);
    ck_assert_str_eq(text_of(rule, "id"), text_of(result, "ruleId"));
    (void)message_of(result, "message");
    (void)check_location(result);
    if (strcmp(kind, "fail") != 0) {
        ck_assert_str_eq(kind, "open");
        ck_assert_str_eq(level, "none");
    }
    levels[strcmp(level, "error") == 0 ? 0 : strcmp(level, "warning") == 0 ? 1 : 2]++;
}

START_TEST(sarif)
{
    /* Errors, warnings, open results: two scenarios with a row of each kind, or the cause of the
     * verdict. */
    static const size_t counts[GATE_VERDICTS][3] = {
        [GATE_PASS] = {0, 0, 0},         [GATE_FAIL] = {2, 2, 2},
        [GATE_INCONCLUSIVE] = {0, 2, 2}, [GATE_VIOLATED] = {1, 0, 0},
        [GATE_INCOMPATIBLE] = {1, 0, 0}, [GATE_DIFFERENT] = {1, 0, 0},
        [GATE_BASE_FAILED] = {1, 0, 0},
    };
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    char *text = report_of(&g, gate_report_sarif);
    cJSON *root = cJSON_ParseWithOpts(text, NULL, true);
    ck_assert_msg(root != NULL, "%s", text);
    ck_assert_str_eq(text_of(root, "version"), "2.1.0");
    ck_assert(strstr(text_of(root, "$schema"), "sarif-schema-2.1.0.json") != NULL);
    const cJSON *run = cJSON_GetObjectItemCaseSensitive(root, "runs")->child;
    const cJSON *tool = cJSON_GetObjectItemCaseSensitive(run, "tool");
    const cJSON *driver = cJSON_GetObjectItemCaseSensitive(tool, "driver");
    const cJSON *rules = cJSON_GetObjectItemCaseSensitive(driver, "rules");
    const cJSON *invocation = cJSON_GetObjectItemCaseSensitive(run, "invocations")->child;
    const cJSON *results = cJSON_GetObjectItemCaseSensitive(run, "results");
    size_t levels[3] = {0};
    (void)text_of(driver, "name");
    ck_assert(cJSON_IsBool(cJSON_GetObjectItemCaseSensitive(invocation, "executionSuccessful")));
    check_rules(rules);
    ck_assert(cJSON_IsArray(results));
    for (const cJSON *result = results->child; result != NULL; result = result->next)
        check_result(result, rules, levels);
    for (int level = 0; level < 3; level++)
        ck_assert_uint_eq(levels[level], counts[_i][level]);
    if (_i == GATE_FAIL) /* scenario and metric */
        ck_assert_int_eq(check_location(results->child), 2);
    cJSON_Delete(root);
    free(text);
    gate_fini(&g);
}
END_TEST

/* Rows that are open when the gate stops early are not inconclusive: they were not followed to the
 * end. */
START_TEST(not_decided_yet)
{
    static const struct {
        void (*write)(const struct gate *, struct out *);
    } kinds[] = {{gate_report_json},
                 {gate_report_csv},
                 {gate_report_markdown},
                 {gate_report_junit},
                 {gate_report_sarif}};
    struct gate g;
    made_begin(&g, 1, 3, 2);
    g.looks[1] = 40; /* never reached */
    g.look_count = 2;
    for (int k = 0; k < 20; k++) { /* harm 5 fails, 1.9 with noise stays open */
        double a[] = {10, 10, 10},
               b[] = {15 + (k % 2) * 0.1, 11.9 + (k % 2 ? 0.5 : -0.5), 10 + (k % 2) * 0.1};
        made_replica(&g, 0, SIDE_A, a, "a");
        made_replica(&g, 0, SIDE_B, b, "b");
    }
    ck_assert(gate_judge(&g) && g.verdict == GATE_FAIL);
    ck_assert_int_eq(g.rows[1].verdict, GATE_ROW_OPEN);
    for (size_t i = 0; i < ROWS(kinds); i++) {
        char *text = report_of(&g, kinds[i].write);
        ck_assert_msg(strstr(text, "not decided yet") != NULL, "%s", text);
        ck_assert_msg(strstr(text, "inconclusive") == NULL, "%s", text);
        free(text);
    }
    g.look_count = 1; /* that was the last look */
    ck_assert_str_eq(gate_row_name(&g, &g.rows[1]), "inconclusive");
    gate_fini(&g);
}
END_TEST

START_TEST(terminal)
{
    struct gate g;
    decide(&g, (enum gate_verdict)_i);
    struct out *out = out_memory();
    gate_table(&g, out, 120);
    const char *text = out_memory_text(out, NULL);
    ck_assert_msg(strncmp(text, gate_verdict_words[_i], strlen(gate_verdict_words[_i])) == 0, "%s",
                  text);
    ck_assert_int_eq(strstr(text, "To reproduce: fauxfleet gate") != NULL, _i != GATE_PASS);
    ck_assert(strstr(text, "number 69 of replica 3") != NULL &&
              strstr(text, "1234.567 s start job") != NULL);
    out_discard(out);
    gate_fini(&g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reports");
    TCase *tcase = tcase_create("reports");
    tcase_add_loop_test(tcase, json, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, junit, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, tap, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, github, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, csv_rows, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, markdown, 0, GATE_VERDICTS);
    tcase_add_loop_test(tcase, sarif, 0, GATE_VERDICTS);
    tcase_add_test(tcase, not_decided_yet);
    tcase_add_loop_test(tcase, terminal, 0, GATE_VERDICTS);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
