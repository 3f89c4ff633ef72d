/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line about assumed speeds. */
#include "report/measure/speeds.h"
#include "tests/lib/harness.h"

#include <stdlib.h>

#define ROW(there, node, model, speed, mark)                                                       \
    "{\"recorded_on\": \"" there "\", \"node\": \"" node "\", \"model\": \"" model                 \
    "\", \"speed\": " speed ", \"mark\": \"" mark "\"}"
#define A(node, model, speed, mark) ROW("dgx-a100", node, model, speed, mark)
#define SUMMARY(rows)               "{\"speeds\": [" rows "]}"

static const struct {
    const char *first, *second; /* NULL: none */
    const char *line;           /* NULL: none */
} rows[] = {
    {"{}", NULL, NULL},
    {"{}", "{}", NULL},
    {SUMMARY(A("h", "m", "2.25", "measured")), NULL,
     "recorded on dgx-a100; on h: m x2.25 (measured)"},
    {SUMMARY(A("h", "m", "2.25", "measured") "," A("h", "n", "2", "rule")), "{}",
     "recorded on dgx-a100; on h: m x2.25 (measured), n x2 (rule)"},
    /* each once, whichever side has it */
    {SUMMARY(A("h", "m", "2.25", "measured")),
     SUMMARY(A("h", "m", "2.25", "measured") "," A("b", "m", "4.6", "derived") "," ROW(
         "v", "b", "m", "12.4", "assumed")),
     "recorded on dgx-a100; on h: m x2.25 (measured); on b: m x4.6 (derived); recorded on v; on b: "
     "m x12.4 (assumed)"},
    {"{}", SUMMARY(A("x", "m", "1", "unknown")), "recorded on dgx-a100; on x: m x1 (unknown)"},
};

START_TEST(each_ratio_is_said_once)
{
    cJSON *first = cJSON_Parse(rows[_i].first),
          *second = rows[_i].second ? cJSON_Parse(rows[_i].second) : NULL;
    char *line = speeds_note(first, second);
    if (rows[_i].line == NULL)
        ck_assert_ptr_null(line);
    else
        ck_assert_str_eq(line, rows[_i].line);
    free(line);
    cJSON_Delete(first);
    cJSON_Delete(second);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("speeds");
    TCase *tcase = tcase_create("speeds");
    tcase_add_loop_test(tcase, each_ratio_is_said_once, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
