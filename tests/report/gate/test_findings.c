/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Findings: the verdict and exit code that follow from those of the base, of the candidate, and of
 * both. */
#include "report/gate/findings.h"
#include "tests/lib/harness.h"
#include "tests/report/gate/made.h"

#include <stdlib.h>
#include <string.h>

static void find(struct gate *g, enum gate_finding_kind kind, int side)
{
    gate_find(g, (struct gate_finding){.kind = kind,
                                       .side = side,
                                       .replica = 2,
                                       .message = mem_format("message of side %d.", side)});
}

START_TEST(verdicts)
{
    static const struct {
        bool base, candidate;
        enum gate_verdict verdict;
        int code;
        const char *says;
    } rows[] = {
        {false, true, GATE_FAIL, EXIT_DIFFER, "The candidate "},
        {true, false, GATE_BASE_FAILED, EXIT_INPUT, "There is nothing to compare with. The base "},
        {true, true, GATE_BASE_FAILED, EXIT_INPUT, "Both sides fail. "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int kind = 0; kind < GATE_SLOWER; kind++) {
            struct gate g;
            made_begin(&g, 1, 1, 1);
            if (rows[i].candidate)
                find(&g, (enum gate_finding_kind)kind, SIDE_B);
            if (rows[i].base)
                find(&g, (enum gate_finding_kind)kind, SIDE_A);
            bool chance = kind == GATE_BY_CHANCE;
            ck_assert(gate_broken(&g) == !chance && gate_random(&g) == chance);
            ck_assert_int_eq(g.verdict, rows[i].verdict);
            ck_assert_int_eq(gate_exit_code(g.verdict), rows[i].code);
            ck_assert_int_eq(g.stage, chance ? GATE_REPEAT : GATE_PROCESSES);
            ck_assert_msg(strncmp(g.reason, rows[i].says, strlen(rows[i].says)) == 0, "%s",
                          g.reason);
            ck_assert(strstr(g.reason, gate_finding_rows[kind].words) != NULL);
            gate_fini(&g);
        }
}
END_TEST

START_TEST(nothing_found)
{
    struct gate g;
    made_begin(&g, 1, 1, 1);
    ck_assert(!gate_broken(&g) && !gate_random(&g));
    find(&g, GATE_SLOWER, SIDE_B);
    ck_assert(!gate_broken(&g) && !gate_random(&g)); /* requested later */
    gate_fini(&g);
}
END_TEST

START_TEST(places)
{
    struct gate g;
    made_begin(&g, 1, 1, 1);
    find(&g, GATE_CRASH, SIDE_B);
    g.findings[0].detail = mem_text("one\ntwo");
    char *text = gate_findings_words(&g);
    ck_assert_str_eq(text,
                     "Finding crash: candidate, scenario 'one', replica 2: message of side 1.\n"
                     "    one\n    two\n");
    free(text);
    gate_fini(&g);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("findings");
    TCase *tcase = tcase_create("all");
    tcase_add_test(tcase, verdicts);
    tcase_add_test(tcase, nothing_found);
    tcase_add_test(tcase, places);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
