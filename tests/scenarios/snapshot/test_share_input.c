/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of shares: reading, the order of queues, the division. Expected shares are computed by
 * hand. */
#include "scenarios/snapshot/share_input.h"
#include "tests/scenarios/snapshots.h"

static struct share_input *load(const char *text)
{
    struct share_input *input = NULL;
    struct err err = {0};
    ck_assert_msg(share_input_parse(&input, "s.json", text, strlen(text), &err), "refused: %s",
                  err.msg);
    return input;
}

#define SHARES(keys) "{\"fauxfleet_shares\": 1, " keys "}"

START_TEST(values_have_defaults)
{
    struct share_input *input = load(SHARES("\"queues\": [{\"name\": \"a\"}]"));
    ck_assert_str_eq(input->file, "s.json");
    ck_assert_int_eq(input->capacity.gpu, 0);
    ck_assert_int_eq(input->usage_k_ppm, 1000000);
    ck_assert_int_eq(input->queues[0].request.gpu, 0);
    share_input_destroy(input);
    input = load(SHARES("\"usage_k\": -0.5"));
    ck_assert_int_eq(input->usage_k_ppm, 0);
    share_input_destroy(input);
    share_input_destroy(NULL);
}
END_TEST

/*
 * Children before their parents. Of 10 GPUs the quotas take 2 and 0; of the remaining 8, "b" with
 * weight 3 gets 6 and "a" 2, and "b" passes its 6 on to its children by weight 1 to 2. Only one
 * leaf requests CPU.
 */
static const char tree[] = SHARES(
    "\"capacity\": {\"gpu\": 10000, \"cpu\": 4000}, \"queues\": ["
    "{\"name\": \"y\", \"parent\": \"b\", \"gpu\": {\"weight\": 2}, \"request\": {\"gpu\": "
    "9000}},{\"name\": \"x\", \"parent\": \"b\", \"request\": {\"gpu\": 9000, \"cpu\": 1500}},"
    "{\"name\": \"b\", \"gpu\": {\"weight\": 3}, \"request\": {\"gpu\": 1}},"
    "{\"name\": \"lost\", \"parent\": \"gone\", \"gpu\": {\"quota\": 5000}, \"request\": {\"gpu\": "
    "5000}},{\"name\": \"a\", \"gpu\": {\"quota\": 2000}, \"request\": {\"gpu\": 9000}}]");

START_TEST(capacity_goes_down_the_tree)
{
    struct share_input *input = load(tree);
    struct err err = {0};
    static const int64_t gpu[] = {4000, 2000, 6000, 0, 4000};
    static const int64_t cpu[] = {0, 1500, 1500, 0, 0};
    ck_assert(share_input_divide(input, (struct policy_allocator){snapshots_resize, NULL}, &err));
    ck_assert_uint_eq(input->queue_count, ROWS(gpu));
    for (int i = 0; i < ROWS(gpu); i++) {
        ck_assert_int_eq(input->fair_share[i].gpu, gpu[i]);
        ck_assert_int_eq(input->fair_share[i].cpu, cpu[i]);
    }
    ck_assert_int_eq(input->remaining.gpu, 0);
    ck_assert_int_eq(input->remaining.cpu, 2500);
    share_input_destroy(input);
}
END_TEST

/* One GPU cannot be halved: the older queue gets it; of queues of the same age, the first by name
 * ("a-10" before "a-2"). */
static const struct {
    const char *queues;
    int64_t first;
} ties[] = {
    {"{\"name\": \"a-2\", \"request\": {\"gpu\": 1000}}, {\"name\": \"a-10\", \"request\": "
     "{\"gpu\": 1000}}",
     0},
    {"{\"name\": \"a-10\", \"request\": {\"gpu\": 1000}}, {\"name\": \"a-2\", \"request\": "
     "{\"gpu\": 1000}}",
     1000},
    {"{\"name\": \"z\", \"created_ms\": -1, \"request\": {\"gpu\": 1000}}, {\"name\": \"a\", "
     "\"request\": {\"gpu\": 1000}}",
     1000},
};

START_TEST(ties_go_by_age_then_name)
{
    char text[512];
    struct err err = {0};
    (void)snprintf(text, sizeof text, SHARES("\"capacity\": {\"gpu\": 1000}, \"queues\": [%s]"),
                   ties[_i].queues);
    struct share_input *input = load(text);
    ck_assert(share_input_divide(input, (struct policy_allocator){snapshots_resize, NULL}, &err));
    ck_assert_int_eq(input->fair_share[0].gpu, ties[_i].first);
    ck_assert_int_eq(input->fair_share[1].gpu, 1000 - ties[_i].first);
    share_input_destroy(input);
}
END_TEST

static const struct {
    const char *text, *part;
} refused[] = {
    {"{}", "s.json:1: not a file of shares: the key 'fauxfleet_shares' is missing"},
    {SHARES("\"capcity\": {}"), "unknown key 'capcity', did you mean 'capacity'?"},
    {SHARES("\"capacity\": {\"gpu\": -1}"), "capacity.gpu: expected an integer from 0"},
    {SHARES("\"queues\": [{\"name\": \"a\", \"reqest\": {}}]"),
     "queues[0].reqest: unknown key 'reqest', did you mean 'request'?"},
    {SHARES("\"queues\": [{\"name\": \"a\", \"parent\": \"a\"}]"),
     "the queue 'a' is its own ancestor"},
    {SHARES("\"queues\": [{\"name\": \"a\", \"pools\": []}]"), "unknown key 'pools'"},
};

START_TEST(wrong_files_are_refused)
{
    struct share_input *input = NULL;
    struct err err = {0};
    ck_assert(
        !share_input_parse(&input, "s.json", refused[_i].text, strlen(refused[_i].text), &err));
    ck_assert_int_eq(err.code, EXIT_INPUT);
    harness_contains(err.msg, refused[_i].part);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("share_input");
    TCase *tcase = tcase_create("shares");
    tcase_add_test(tcase, values_have_defaults);
    tcase_add_test(tcase, capacity_goes_down_the_tree);
    tcase_add_loop_test(tcase, ties_go_by_age_then_name, 0, ROWS(ties));
    tcase_add_loop_test(tcase, wrong_files_are_refused, 0, ROWS(refused));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
