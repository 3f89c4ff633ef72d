/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The gate as tests: JUnit XML, TAP, and annotations of GitHub workflows. */
#include "report/gate/checks.h"
#include "report/gate/reports.h"
#include "report/gate/words.h"
#include "sim/base/escape.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

static bool is_bad(const struct gate_check *check)
{
    return check->outcome == GATE_CHECK_FAILED || check->outcome == GATE_CHECK_ERROR;
}

/* ---- JUnit: https://github.com/testmoapp/junitxml describes what its readers take ---- */

/* Keeps newlines of messages. */
static void put_xml(struct out *out, const char *text)
{
    for (size_t n; *text != '\0'; text += n) {
        n = strcspn(text, "\n");
        char *line = mem_text_n(text, n);
        escape_markup(out, line);
        free(line);
        if (text[n] == '\n') {
            out_text(out, "&#10;");
            n++;
        }
    }
}

static void put_attribute(struct out *out, const char *name, const char *text)
{
    out_format(out, " %s=\"", name);
    put_xml(out, text);
    out_char(out, '"');
}

static void put_case(struct out *out, const struct gate *g, const struct gate_check *check)
{
    static const char *const elements[] = {
        [GATE_CHECK_OK] = "system-out",
        [GATE_CHECK_FAILED] = "failure",
        [GATE_CHECK_ERROR] = "error",
        [GATE_CHECK_SKIPPED] = "skipped",
    };
    const char *element = elements[check->outcome];
    char *scope = mem_format("fauxfleet.gate.%s", check->scope);
    out_text(out, "  <testcase");
    put_attribute(out, "classname", scope);
    put_attribute(out, "name", check->name);
    out_format(out, ">\n    <%s", element);
    if (check->outcome != GATE_CHECK_OK)
        put_attribute(out, "message", check->message);
    out_char(out, '>');
    if (check->outcome == GATE_CHECK_OK)
        put_xml(out, check->message);
    if (is_bad(check)) {
        out_text(out, "To reproduce: ");
        put_xml(out, g->command);
    }
    out_format(out, "</%s>\n  </testcase>\n", element);
    free(scope);
}

void gate_report_junit(const struct gate *g, struct out *out)
{
    struct gate_checks checks;
    gate_checks_list(g, &checks);
    out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"fauxfleet "
                  "gate\">\n <testsuite");
    put_attribute(out, "name", g->suite);
    out_format(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
               checks.count, gate_checks_with(&checks, GATE_CHECK_FAILED),
               gate_checks_with(&checks, GATE_CHECK_ERROR),
               gate_checks_with(&checks, GATE_CHECK_SKIPPED));
    for (size_t i = 0; i < checks.count; i++)
        put_case(out, g, &checks.rows[i]);
    out_text(out, " </testsuite>\n</testsuites>\n");
    gate_checks_free(&checks);
}

/* ---- TAP 13: https://testanything.org/tap-version-13-specification.html ---- */

/* A description is one line, where '#' starts a directive. */
static void put_plain(struct out *out, const char *text)
{
    char *safe = escape_shown_text(text);
    for (char *p = safe; *p != '\0'; p++)
        out_char(out, *p == '#' ? '?' : *p);
    free(safe);
}

/* Prints a comment, line by line. */
static void put_comment(struct out *out, const char *text)
{
    for (size_t n; *text != '\0'; text += n) {
        n = strcspn(text, "\n");
        char *line = mem_text_n(text, n);
        out_text(out, "# ");
        escape_shown(out, line);
        out_char(out, '\n');
        free(line);
        n += text[n] == '\n';
    }
}

void gate_report_tap(const struct gate *g, struct out *out)
{
    struct gate_checks checks;
    gate_checks_list(g, &checks);
    out_format(out, "TAP version 13\n1..%zu\n", checks.count);
    for (size_t i = 0; i < checks.count; i++) {
        const struct gate_check *check = &checks.rows[i];
        out_format(out, "%s %zu - ", is_bad(check) ? "not ok" : "ok", i + 1);
        put_plain(out, check->scope);
        out_text(out, ": ");
        put_plain(out, check->name);
        if (check->outcome == GATE_CHECK_SKIPPED) {
            out_text(out, " # SKIP ");
            put_plain(out, check->message);
        }
        out_char(out, '\n');
        if (check->outcome != GATE_CHECK_SKIPPED)
            put_comment(out, check->message);
    }
    if (g->verdict != GATE_PASS) {
        put_comment(out, g->reason);
        out_text(out, "# To reproduce: ");
        put_plain(out, g->command);
        out_char(out, '\n');
    }
    gate_checks_free(&checks);
}

/* ---- GitHub: "workflow commands", one a line ---- */

static void put_annotation(struct out *out, const struct gate *g, const char *level, size_t line,
                           const char *title, const char *message)
{
    out_format(out, "::%s file=", level);
    escape_github(out, g->suite_file, true);
    if (line > 0)
        out_format(out, ",line=%zu", line);
    out_text(out, ",title=");
    escape_github(out, title, true);
    out_text(out, "::");
    escape_github(out, message, false);
    out_char(out, '\n');
}

static void annotate(struct out *out, const struct gate *g, const struct gate_check *check)
{
    char *title = mem_format("%s: %s", check->scope, check->name);
    char *message = is_bad(check) ? mem_format("%s\nTo reproduce: %s", check->message, g->command)
                                  : mem_text(check->message);
    if (is_bad(check))
        put_annotation(out, g, "error", check->line, title, message);
    else if (check->warning ||
             (check->outcome == GATE_CHECK_SKIPPED && g->verdict == GATE_INCONCLUSIVE))
        put_annotation(out, g, "warning", check->line, title, message);
    free(title);
    free(message);
}

void gate_report_github(const struct gate *g, struct out *out)
{
    struct gate_checks checks;
    gate_checks_list(g, &checks);
    for (size_t i = 0; i < checks.count; i++)
        annotate(out, g, &checks.rows[i]);
    const char *level = g->verdict == GATE_PASS           ? "notice"
                        : g->verdict == GATE_INCONCLUSIVE ? "warning"
                                                          : "error";
    char *title = mem_format("fauxfleet gate %s: %s", g->suite, gate_verdict_words[g->verdict]);
    char *message = g->verdict == GATE_PASS
                        ? mem_text(g->reason)
                        : mem_format("%s\nTo reproduce: %s", g->reason, g->command);
    put_annotation(out, g, level, 0, title, message);
    free(title);
    free(message);
    gate_checks_free(&checks);
}
