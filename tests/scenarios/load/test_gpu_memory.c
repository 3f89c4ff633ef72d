/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Device memory in a scenario: defaults, every mode, and impossible times. */
#include "tests/scenarios/scenarios.h"

#define MEMORY(text) WITH("\"gpu_memory\": {" text "}")

START_TEST(absent_is_off)
{
    struct scenario *scenario = load_text(WITHOUT_KEYS, NULL);
    ck_assert_int_eq(scenario->gpu_memory.mode, MEMORY_OFF);
    ck_assert(!scenario->checkpoint.given);
    scenario_destroy(scenario);
}
END_TEST

/* The defaults shown by `list` and the report; jobs that are ended may lose their work since the
 * last checkpoint. */
START_TEST(defaults)
{
    struct scenario *scenario = load_text(MEMORY(""), NULL);
    const struct memory_rules *rules = &scenario->gpu_memory;
    ck_assert_int_eq(rules->mode, MEMORY_WAIT);
    ck_assert_int_eq(rules->grow_ppm, 300000);
    ck_assert_int_eq(rules->least_ppm, 0);
    ck_assert_int_eq(rules->phase_ms, 600000);
    ck_assert_int_eq(rules->idle_after_ms, 1800000);
    ck_assert_int_eq(rules->retry_ms, 10000);
    ck_assert_int_eq(rules->host_mbps, 25000);
    ck_assert_int_eq(rules->turn_ms, 60000);
    ck_assert(scenario->checkpoint.given);
    scenario_destroy(scenario);
}
END_TEST

static const struct {
    const char *text;
    enum memory_mode mode;
} modes[] = {
    {MEMORY("\"mode\": \"static\""), MEMORY_STATIC},
    {MEMORY("\"mode\": \"none\""), MEMORY_NONE},
    {MEMORY("\"mode\": \"wait\""), MEMORY_WAIT},
    {MEMORY("\"mode\": \"priority\""), MEMORY_PRIORITY},
    {MEMORY("\"mode\": \"swap\""), MEMORY_SWAP},
};

START_TEST(every_mode)
{
    struct scenario *scenario = load_text(modes[_i].text, NULL);
    ck_assert_int_eq(scenario->gpu_memory.mode, modes[_i].mode);
    scenario_destroy(scenario);
}
END_TEST

static const struct {
    const char *text, *message;
} wrong[] = {
    {MEMORY("\"phase\": 0"), "gpu_memory.phase: expected a time above 0"},
    {MEMORY("\"retry\": 0"), "gpu_memory.retry: expected a time above 0"},
    {MEMORY("\"turn\": 0"), "gpu_memory.turn: expected a time above 0"},
};

START_TEST(no_time_at_all)
{
    refuse_text(wrong[_i].text, NULL, wrong[_i].message);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_gpu_memory");
    TCase *tcase = tcase_create("fill_gpu_memory");
    tcase_add_test(tcase, absent_is_off);
    tcase_add_test(tcase, defaults);
    tcase_add_loop_test(tcase, every_mode, 0, ROWS(modes));
    tcase_add_loop_test(tcase, no_time_at_all, 0, ROWS(wrong));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
