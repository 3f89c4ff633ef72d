/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models defined in a scenario: found by name, and refused with their place. */
#include "scenarios/catalog/models.h"
#include "tests/scenarios/scenarios.h"

#include <string.h>

#define SCENARIO(rest)                                                                             \
    "{\"fauxfleet_scenario\": 1,\n"                                                                \
    " \"fleet\": {\"pools\": [{\"name\": \"p\", \"node\": {\"gpus\": 8}, \"count\": 2}]},\n"       \
    " \"workload\": {\"generate\": {\"profile\": \"batch\"}}" rest "}"

START_TEST(models_arrive)
{
    struct scenario *scenario = load_text(
        SCENARIO(",\n \"models\": {\"mine\": {\"work_s\": 2, \"batch\": 64, \"samples\": \"rows\", "
                 "\"speeds\": {\"h100\": 2.2}}, \"guess\": {\"intensity\": 0.3}}"),
        NULL);
    ck_assert_uint_eq(scenario->model_count, 2);
    for (size_t i = 0; i < 2; i++) {
        const struct catalog_model *model = &scenario->models[i];
        bool mine = strcmp(model->name, "mine") == 0;
        ck_assert(mine || strcmp(model->name, "guess") == 0);
        ck_assert_str_eq(model->model.samples, mine ? "rows" : "samples");
        ck_assert_uint_eq(model->model.speed_count, mine ? 1 : 0);
        ck_assert(!mine || model->model.speeds[0].speed == 2.2);
        ck_assert_double_eq_tol(perf_model_intensity(&model->model), mine ? 0 : 0.3, 1e-12);
    }
    scenario_destroy(scenario);
    scenario = load_text(SCENARIO(""), NULL);
    ck_assert_uint_eq(scenario->model_count, 0);
    ck_assert_ptr_null(strstr(scenario->resolved, "models"));
    scenario_destroy(scenario);
}
END_TEST

static const struct {
    const char *text, *refusal;
} rows[] = {
    {SCENARIO(",\n \"models\": {\"m\": {\"batch\": 1}}"), ":4: models.m: expected 'work_s'"},
    {SCENARIO(",\n \"models\": {\"m\": {\"work_s\": -1}}"), ":4: models.m.work_s"},
    {SCENARIO(",\n \"models\": {\"m\": {\"work\": 1}}"), "work_s"},
    {SCENARIO(",\n \"models\": {\"m\": {\"work_s\": 1, \"calibration\":\n {\"nodes\": [1, 2], "
              "\"rate\": [1, 3]}}}"),
     ":4: models.m.calibration: the table contradicts itself: 2 nodes run 3.000 times as fast as "
     "1"},
    {SCENARIO(",\n \"models\": {\"m\": {\"work_s\": 1, \"calibration\":\n {\"node\": \"dgx\", "
              "\"nodes\": [1, 2], \"rate\": [8, 16]}}}"),
     "models.m.calibration.node: unknown kind of node 'dgx'"},
};

START_TEST(impossible_values_are_refused_with_their_place)
{
    refuse_text(rows[_i].text, NULL, rows[_i].refusal);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fill_models");
    TCase *tcase = tcase_create("models");
    tcase_add_test(tcase, models_arrive);
    tcase_add_loop_test(tcase, impossible_values_are_refused_with_their_place, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
