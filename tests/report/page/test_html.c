/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole report of the fixture: well-formed, with harmless names of queues, the same bytes
 * twice, complete without gnuplot and with files missing or damaged. Tests that need pictures are
 * skipped without gnuplot.
 */
#include "report/report.h"
#include "tests/lib/folder.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define FIXTURE     "tests/report/fixture"
#define DEPTH       64
#define LIGHT_BYTES ((size_t)2 * 1024 * 1024)

static const char *const figures[] = {"ladder", "waits",  "reasons",    "heat",
                                      "faults", "shares", "shares_time"};
#define FIGURES (sizeof figures / sizeof *figures)

static void render(struct folder *folder, const char *page)
{
    struct err err = {0};
    char *path = strdup(folder_path(folder, page));
    ck_assert_msg(report_write_html(folder->path, path, &err), "%s", err.msg);
    free(path);
}

static bool contains(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

static bool has_gnuplot(const char *page)
{
    bool missing = contains(page, "gnuplot is not installed");
    if (missing)
        (void)printf("skipped: gnuplot is not installed\n");
    return !missing;
}

/* The end of a tag, past quoted attributes. */
static const char *tag_end(const char *p)
{
    char quote = 0;
    for (; *p && (quote || *p != '>'); p++)
        quote = (char)(quote ? (*p == quote ? 0 : quote) : (*p == '"' || *p == '\'' ? *p : 0));
    return p;
}

static void check_entity(const char *p)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&#39;"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(p, known[i], strlen(known[i])) == 0)
            return;
    ck_abort_msg("a bare & at: %.40s", p);
}

/* Elements are closed in order, and every ampersand begins an entity. */
static void check_well_formed(const char *html)
{
    char open[DEPTH][16];
    size_t depth = 0;
    ck_assert_int_eq(strncmp(html, "<!DOCTYPE html>\n<html lang=\"en\">", 31), 0);
    for (const char *p = html; *p; p++) {
        if (*p == '&')
            check_entity(p);
        if (*p != '<' || p[1] == '!')
            continue;
        const char *name = p + 1 + (p[1] == '/'), *end = tag_end(p);
        size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        ck_assert_msg(*end == '>' && n > 0 && n < 16, "a broken tag: %.40s", p);
        if (p[1] == '/') {
            ck_assert_uint_gt(depth, 0);
            depth--;
            ck_assert_msg(strncmp(open[depth], name, n) == 0 && open[depth][n] == '\0',
                          "<%s> closed by %.20s", open[depth], p);
        } else if (end[-1] != '/' && strncmp(name, "meta", 4) != 0) {
            ck_assert_uint_lt(depth, DEPTH);
            memcpy(open[depth], name, n);
            open[depth++][n] = '\0';
        }
        p = end;
    }
    ck_assert_uint_eq(depth, 0);
}

/* Ids are unique, since figures share one page. */
static void check_ids(const char *html)
{
    for (const char *p = strstr(html, " id=\""); p; p = strstr(p + 1, " id=\"")) {
        char id[64];
        size_t n = strcspn(p + 5, "\"") + 6;
        ck_assert_uint_lt(n, sizeof id);
        memcpy(id, p, n);
        id[n] = '\0';
        ck_assert_msg(!strstr(p + 1, id), "twice:%s", id);
    }
}

/* Links are relative and lead to existing files. */
static void check_links(struct folder *folder, const char *html)
{
    size_t links = 0;
    for (const char *p = strstr(html, " href=\""); p; p = strstr(p + 1, " href=\"")) {
        char target[256];
        size_t n = strcspn(p + 7, "\"");
        ck_assert_uint_lt(n, sizeof target);
        memcpy(target, p + 7, n);
        target[n] = '\0';
        ck_assert_msg(folder_has(folder, target), "a dead link: %s", target);
        links++;
    }
    ck_assert_uint_gt(links, 10);
}

START_TEST(the_page_is_whole_and_safe)
{
    struct folder folder;
    folder_make(&folder);
    folder_copy(&folder, FIXTURE);
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    check_well_formed(html);
    check_ids(html);
    check_links(&folder, html);
    // Untrusted names occur only as text.
    harness_contains(html, "demo &lt;teams&gt; &amp; &quot;sites&quot;</h1>");
    harness_contains(html, "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;</th>");
    harness_contains(html, "100%s o&#39;neil `id` $(id)</th>");
    ck_assert(!contains(html, "<b>"));
    // No script, nothing external, nothing about this machine.
    static const char *const forbidden[] = {"<script", "<link",    "<img",  "@import",
                                            "url(",    "https://", "/tmp/", "uid="};
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        ck_assert_msg(!contains(html, forbidden[i]), "found %s", forbidden[i]);
    // All parts exist.
    static const char *const ids[] = {"ladder",   "ledger",      "waits",    "reasons", "heat",
                                      "shares",   "shares_time", "by-class", "by-size", "by-queue",
                                      "fairness", "definitions", "files",    "faults",  "by-fault",
                                      "verdict",  "reliability", "cost"};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        char id[32];
        (void)snprintf(id, sizeof id, "id=\"%s\"", ids[i]);
        harness_contains(html, id);
    }
    harness_contains(html, "<tr><th scope=\"row\">&lt;i&gt;own&lt;/i&gt;</th><td "
                           "class=\"n\">1</td><td class=\"n\">0</td>");
    harness_contains(html, "<tr><th scope=\"row\">all</th><td class=\"n\">4</td><td "
                           "class=\"n\">3</td><td class=\"n\">17.5</td>");
    ck_assert(!contains(html, "<th scope=\"row\">hbm</th>")); // no faults occurred
    harness_contains(html, "\xE2\x89\xA5 10h20m"); // a percentile hidden by too many pending jobs
    free(html);
    folder_remove(&folder);
}
END_TEST

START_TEST(pictures_are_drawn_with_names_as_they_are)
{
    struct folder folder;
    folder_make(&folder);
    folder_copy(&folder, FIXTURE);
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    if (has_gnuplot(html)) {
        size_t pictures = 0;
        for (const char *p = strstr(html, "<svg "); p; p = strstr(p + 1, "<svg "))
            pictures++;
        ck_assert_uint_eq(pictures, FIGURES);
        char *svg = folder_read(&folder, "figures/shares.svg");
        harness_contains(svg, "<text>&lt;b>&amp;\"x\"&lt;/b></text>");
        // Shell, format and quote characters of the name are plain text; it is cut to 20 columns.
        harness_contains(svg, "<text>100%s o'neil `id`...</text>");
        ck_assert(!contains(html, "color=\"black\""));
        free(svg);
    }
    free(html);
    folder_remove(&folder);
}
END_TEST

static void check_same_file(struct folder *a, struct folder *b, const char *name)
{
    ck_assert_msg(folder_has(a, name) && folder_has(b, name), "no %s", name);
    char *left = folder_read(a, name), *right = folder_read(b, name);
    ck_assert_msg(strcmp(left, right) == 0, "%s differs", name);
    free(left);
    free(right);
}

START_TEST(equal_runs_give_equal_bytes)
{
    static const char *const suffixes[] = {"dat", "gp", "svg"};
    struct folder a, b;
    folder_make(&a);
    folder_make(&b);
    folder_copy(&a, FIXTURE);
    folder_copy(&b, FIXTURE);
    render(&a, "report.html");
    render(&b, "report.html");
    render(&b, "report.html"); // again over its own output
    check_same_file(&a, &b, "report.html");
    char *html = folder_read(&a, "report.html");
    size_t kinds = has_gnuplot(html) ? 3 : 2;
    free(html);
    for (size_t f = 0; f < FIGURES; f++) {
        for (size_t s = 0; s < kinds; s++) {
            char name[64];
            (void)snprintf(name, sizeof name, "figures/%s.%s", figures[f], suffixes[s]);
            check_same_file(&a, &b, name);
        }
    }
    folder_remove(&a);
    folder_remove(&b);
}
END_TEST

START_TEST(without_gnuplot_the_data_is_there)
{
    struct folder folder, nowhere;
    char *path = strdup(getenv("PATH"));
    folder_make(&folder);
    folder_make(&nowhere);
    folder_copy(&folder, FIXTURE);
    folder_sub(&folder, "figures");
    folder_put(&folder, "figures/ladder.svg", "a picture of an earlier run");
    ck_assert_int_eq(setenv("PATH", nowhere.path, 1), 0);
    render(&folder, "report.html");
    ck_assert_int_eq(setenv("PATH", path, 1), 0);
    char *html = folder_read(&folder, "report.html");
    check_well_formed(html);
    check_links(&folder, html);
    harness_contains(html, "gnuplot is not installed");
    ck_assert(!contains(html, "<svg"));
    for (size_t f = 0; f < FIGURES; f++) {
        char name[64];
        (void)snprintf(name, sizeof name, "figures/%s.dat", figures[f]);
        ck_assert_msg(folder_has(&folder, name), "no %s", name);
        (void)snprintf(name, sizeof name, "figures/%s.gp", figures[f]);
        ck_assert_msg(folder_has(&folder, name), "no %s", name);
    }
    ck_assert(!folder_has(&folder, "figures/ladder.svg"));
    free(html);
    free(path);
    folder_remove(&folder);
    folder_remove(&nowhere);
}
END_TEST

static const struct {
    const char *file;
    const char *text; /* NULL: the file is removed */
    const char *part; /* of the page */
} broken_rows[] = {
    {"timeline.csv", NULL, "This run wrote no timeline.csv, so"},
    {"reasons.csv", "time_s,BEHIND\n0,x\n", "Not drawn: reasons.csv: row 2: column 2: &#39;x&#39;"},
    {"jobs.csv", "job_id\n1,2\n", "Not drawn: jobs.csv: row 1: no column &#39;class&#39;"},
    {"heatmap.csv", "node,0\nn,1,2\n", "Not drawn: heatmap.csv: row 2: 3 fields, expected 2"},
    {"queues.csv", "queue\n\"x\n", "Not drawn: queues.csv: row 2"},
    {"queues.csv", NULL, "&lt;b&gt;&amp;&quot;x&quot;&lt;/b&gt;</th>"},
    {"jobs.csv", NULL, "This run wrote no jobs.csv, so"},
};

START_TEST(what_is_broken_becomes_a_note)
{
    struct folder folder;
    folder_make(&folder);
    folder_copy(&folder, FIXTURE);
    if (broken_rows[_i].text)
        folder_put(&folder, broken_rows[_i].file, broken_rows[_i].text);
    else
        harness_forget(folder_path(&folder, broken_rows[_i].file));
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    check_well_formed(html);
    check_links(&folder, html);
    harness_contains(html, broken_rows[_i].part);
    free(html);
    folder_remove(&folder);
}
END_TEST

START_TEST(a_page_elsewhere_links_to_the_run)
{
    struct folder folder;
    folder_make(&folder);
    folder_sub(&folder, "my run");
    struct folder run = folder;
    (void)snprintf(run.path, sizeof run.path, "%s", folder_path(&folder, "my run"));
    folder_copy(&run, FIXTURE);
    struct err err = {0};
    char *page = strdup(folder_path(&folder, "page.html"));
    ck_assert_msg(report_write_html(run.path, page, &err), "%s", err.msg);
    char *html = folder_read(&folder, "page.html");
    harness_contains(html, "<a href=\"my%20run/jobs.csv\">");
    harness_contains(html, "<a href=\"my%20run/figures/ladder.dat\">");
    free(html);
    free(page);
    folder_remove(&folder);
}
END_TEST

START_TEST(replicas_are_named)
{
    struct folder folder;
    folder_make(&folder);
    folder_sub(&folder, "rep-1");
    struct folder first = folder;
    (void)snprintf(first.path, sizeof first.path, "%s", folder_path(&folder, "rep-1"));
    folder_copy(&first, FIXTURE);
    folder_put(
        &folder, "summary.json",
        "{\"fauxfleet_summary\": 1, \"scenario\": \"s\", \"replicas\": [{}, {}], "
        "\"utilization\": {\"fleet_goodput\": 0.5}, \"fairness\": {\"jain\": 0.9}, "
        "\"sd\": {\"utilization\": {\"fleet_goodput\": 0.012}, \"fairness\": {\"jain\": 0.05}}}");
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    check_well_formed(html);
    check_links(&folder, html);
    harness_contains(html, "Numbers are means over 2 replicas");
    harness_contains(html, "50.0%<small>productive, of installed GPU-hours; sd 1.2%</small>");
    harness_contains(html, "<td class=\"n\">0.900</td><td class=\"n\">0.050</td>");
    harness_contains(html, "<a href=\"rep-1/jobs.csv\">");
    ck_assert(folder_has(&folder, "figures/ladder.dat"));
    free(html);
    folder_remove(&folder);
}
END_TEST

static const struct {
    const char *summary, *part;
} small_rows[] = {
    {"{\"fauxfleet_summary\": 1}", "Unnamed scenario"},
    {"{\"fauxfleet_summary\": 1, \"gpu_hours\": {\"installed\": 10, \"productive\": 4, \"lost\": "
     "{\"down\": 5, \"<new>\": 1}}}",
     "&lt;new&gt;</th>"},
    {"{\"fauxfleet_summary\": 1, \"gpu_hours\": {\"installed\": 10, \"productive\": 4, \"lost\": "
     "{\"down\": 5}}}",
     "Productive hours and losses add up to 9.00."},
    {"{\"fauxfleet_summary\": 1, \"fill\": {\"failed_tasks\": 3, \"curve\": [{\"arrived_pct\": 50, "
     "\"alloc_pct\": 49, "
     "\"frag_ratio_pct\": 5, \"frag_amount_pct\": 2.5}]}}",
     "<dt>Allocated</dt><dd>49.0%"},
    {"{\"fauxfleet_summary\": 1, \"jobs\": [], \"wait_s\": 3, \"by_class\": {\"x\": 1}, "
     "\"fairness\": {\"queues\": [1, {}]}, \"gpu_hours\": {\"installed\": \"x\", \"lost\": [1]}, "
     "\"fill\": {\"curve\": [1, null]}}",
     "id=\"definitions\""},
};

START_TEST(a_small_summary_makes_a_small_page)
{
    struct folder folder;
    folder_make(&folder);
    folder_put(&folder, "summary.json", small_rows[_i].summary);
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    check_well_formed(html);
    harness_contains(html, small_rows[_i].part);
    free(html);
    folder_remove(&folder);
}
END_TEST

START_TEST(errors_leave_nothing_behind)
{
    struct folder folder;
    struct err err = {0};
    folder_make(&folder);
    char *page = strdup(folder_path(&folder, "report.html")),
         *lost = strdup(folder_path(&folder, "no/r.html"));
    ck_assert(!report_write_html(folder.path, page, &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, "summary.json");
    ck_assert(!folder_has(&folder, "report.html"));
    ck_assert(!folder_has(&folder, "figures"));
    folder_copy(&folder, FIXTURE);
    ck_assert(!report_write_html(folder.path, lost, &err));
    harness_contains(err.msg, "cannot write");
    free(page);
    free(lost);
    folder_remove(&folder);
}
END_TEST

/* A month in steps of a minute, a thousand nodes, noise everywhere: the page stays small. */
START_TEST(a_large_run_stays_light)
{
    enum { STEPS = 43200, NODES = 1000, TIMES = 720 };
    struct folder folder;
    struct out *timeline = out_memory(), *reasons = out_memory(), *heat = out_memory();
    uint32_t noise = 1;
    folder_make(&folder);
    folder_copy(&folder, FIXTURE);
    out_text(timeline, "time_s,installed,available,allocated,running,productive\n");
    out_text(reasons, "time_s,A,B,C,D,E,F,G,H\n");
    for (int i = 0; i < STEPS; i++) {
        noise = noise * 1664525u + 1013904223u;
        unsigned n = noise >> 20;
        out_format(timeline, "%d,8000,7900,%u,%u,%u\n", i * 60, 3000 + n, 2500 + n, 2000 + n);
        out_format(reasons, "%d,%u,%u,%u,%u,%u,%u,%u,%u\n", i * 60, n, n / 2, n / 3, n % 7, n % 11,
                   n % 13, n % 17, n % 19);
    }
    out_text(heat, "node");
    for (int t = 0; t < TIMES; t++)
        out_format(heat, ",%d", t * 3600);
    for (int i = 0; i < NODES; i++) {
        out_format(heat, "\nn%d", i);
        for (int t = 0; t < TIMES; t++) {
            noise = noise * 1664525u + 1013904223u;
            out_format(heat, ",0.%03u", (noise >> 22) % 1000);
        }
    }
    out_char(heat, '\n');
    folder_put(&folder, "timeline.csv", out_memory_text(timeline, NULL));
    folder_put(&folder, "reasons.csv", out_memory_text(reasons, NULL));
    folder_put(&folder, "heatmap.csv", out_memory_text(heat, NULL));
    out_discard(timeline);
    out_discard(reasons);
    out_discard(heat);
    render(&folder, "report.html");
    char *html = folder_read(&folder, "report.html");
    ck_assert_uint_lt(strlen(html), LIGHT_BYTES);
    harness_contains(html, "Each point is the mean of 128 samples; thin lines are the lowest and "
                           "the highest number of allocated GPUs among them.");
    harness_contains(html, "the thin line is the longest queue among them.");
    free(html);
    folder_remove(&folder);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("html");
    TCase *tcase = tcase_create("page");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, the_page_is_whole_and_safe);
    tcase_add_test(tcase, pictures_are_drawn_with_names_as_they_are);
    tcase_add_test(tcase, equal_runs_give_equal_bytes);
    tcase_add_test(tcase, without_gnuplot_the_data_is_there);
    tcase_add_loop_test(tcase, what_is_broken_becomes_a_note, 0, ROWS(broken_rows));
    tcase_add_test(tcase, a_page_elsewhere_links_to_the_run);
    tcase_add_test(tcase, replicas_are_named);
    tcase_add_loop_test(tcase, a_small_summary_makes_a_small_page, 0, ROWS(small_rows));
    tcase_add_test(tcase, errors_leave_nothing_behind);
    if (harness_whole())
        tcase_add_test(tcase, a_large_run_stays_light);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
