/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Structs of older and of newer callers. */
#include "state/sized.h"
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { MOST = 8192 };

/* As in policy.h of today. */
static const size_t known[PC_SIZED] = {
    [PC_CONFIG] = sizeof(struct policy_config),
    [PC_NODE_SPEC] = sizeof(struct policy_node_spec),
    [PC_QUEUE_SPEC] = sizeof(struct policy_queue_spec),
    [PC_JOB_SPEC] = sizeof(struct policy_job_spec),
    [PC_ROLE] = sizeof(struct policy_role),
    [PC_TYPICAL_TASK] = sizeof(struct policy_typical_task),
    [PC_EXPLANATION] = sizeof(struct policy_explanation),
    [PC_QUEUE_INFO] = sizeof(struct policy_queue_info),
    [PC_POOL_SHARE] = sizeof(struct policy_pool_share),
    [PC_NODE_INFO] = sizeof(struct policy_node_info),
    [PC_SHARE_ROW] = sizeof(struct policy_share_row),
    [PC_HISTORY] = sizeof(struct policy_history),
    [PC_OFFER] = sizeof(struct policy_offer),
};

/* A struct of that size, with zeros past what is known here. */
static void *of_size(unsigned char bytes[MOST], enum pc_sized kind, size_t size)
{
    memset(bytes, 0, MOST);
    for (size_t i = 0; i < size && i < known[kind]; i++)
        bytes[i] = (unsigned char)(i | 1);
    const uint32_t first = (uint32_t)size;
    memcpy(bytes, &first, sizeof first);
    return bytes;
}

START_TEST(members_missing_in_an_older_struct_are_zero)
{
    _Alignas(16) unsigned char given[MOST], room[MOST];
    enum pc_sized kind = (enum pc_sized)_i;
    size_t least = pc_sized_least(kind);
    ck_assert_uint_le(least, known[kind]);
    ck_assert_ptr_null(pc_sized_in(kind, of_size(given, kind, 0), room));
    ck_assert_ptr_null(pc_sized_in(kind, of_size(given, kind, least - 1), room));
    for (size_t size = least; size < known[kind]; size++) {
        memset(room, 0xff, sizeof room);
        const unsigned char *read = pc_sized_in(kind, of_size(given, kind, size), room);
        ck_assert_ptr_eq(read, room);
        ck_assert_mem_eq(read, given, size);
        for (size_t i = size; i < known[kind]; i++)
            ck_assert_uint_eq(read[i], 0);
        ck_assert_uint_eq(read[known[kind]], 0xff);
    }
    ck_assert_ptr_eq(pc_sized_in(kind, of_size(given, kind, known[kind]), room), given);
}
END_TEST

START_TEST(members_added_by_a_newer_struct_must_be_zero)
{
    _Alignas(16) unsigned char given[MOST], room[MOST];
    enum pc_sized kind = (enum pc_sized)_i;
    for (size_t size = known[kind] + 1; size <= known[kind] + 24; size++) {
        ck_assert_ptr_eq(pc_sized_in(kind, of_size(given, kind, size), room), given);
        given[size] = 1; /* past it */
        ck_assert_ptr_eq(pc_sized_in(kind, given, room), given);
        given[size - 1] = 1;
        ck_assert_ptr_null(pc_sized_in(kind, given, room));
    }
    ck_assert_ptr_eq(pc_sized_in(kind, of_size(given, kind, 4096), room), given);
    ck_assert_ptr_null(pc_sized_in(kind, of_size(given, kind, 4097), room));
}
END_TEST

START_TEST(answers_are_cut_to_the_caller_s_size)
{
    _Alignas(16) unsigned char given[MOST], answer[MOST];
    enum pc_sized kind = (enum pc_sized)_i;
    memset(answer, 0x5a, sizeof answer);
    for (size_t size = pc_sized_least(kind); size <= known[kind] + 8; size++) {
        const uint32_t first = (uint32_t)size;
        memset(given, 0xff, sizeof given);
        memcpy(given, &first, sizeof first);
        ck_assert(pc_sized_fits(kind, given));
        pc_sized_out(kind, given, answer);
        ck_assert_mem_eq(given, &first, sizeof first);
        for (size_t i = sizeof first; i < size; i++)
            ck_assert_uint_eq(given[i], i < known[kind] ? 0x5a : 0);
        ck_assert_uint_eq(given[size], 0xff);
    }
}
END_TEST

/* ---- the configuration: missing members have the preset's values ---- */

static struct policy_config older(const char *preset, struct tally *tally, size_t size)
{
    struct policy_config config;
    memset(&config, 0xff, sizeof config);
    ck_assert_int_eq(
        policy_config_init_sized(&config, (uint32_t)size, preset, tally_allocator(tally), NULL),
        POLICY_OK);
    for (size_t i = size; i < sizeof config; i++)
        ck_assert_uint_eq(((unsigned char *)&config)[i], 0xff);
    return config;
}

START_TEST(an_older_configuration_is_that_of_its_preset)
{
    struct tally tally = {0};
    for (size_t i = 0; policy_preset_row(i) != NULL; i++) {
        const char *preset = policy_preset_row(i)->name;
        struct policy_config whole = older(preset, &tally, sizeof whole), room;
        for (size_t size = pc_sized_least(PC_CONFIG); size < sizeof whole; size += 4) {
            struct policy_config config = older(preset, &tally, size);
            struct policy_error error = {0};
            const struct policy_config *read = pc_config_in(&config, &room, &error);
            ck_assert_msg(read == &room, "%s: %s", preset, error.message);
            ck_assert_mem_eq(read, &whole, sizeof whole);
            ck_assert_int_eq(policy_config_check(&config, &error), POLICY_OK);
            ck_assert(policy_is_ranked(&config) == policy_is_ranked(&whole));
            ck_assert(policy_wants_typical_tasks(&config) == policy_wants_typical_tasks(&whole));
            ck_assert(policy_placement_counts(&config) == policy_placement_counts(&whole));
            struct policy *p = policy_create(&config, &error);
            ck_assert_msg(p != NULL, "%s: %s", preset, error.message);
            core_destroy(p, &tally);
        }
    }
}
END_TEST

START_TEST(options_without_room_are_refused)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    size_t least = pc_sized_least(PC_CONFIG);
    struct policy_config config = older("fifo", &tally, least);
    ck_assert_int_eq(policy_config_set(&config, "blocking", "skip", &error), POLICY_OK);
    ck_assert_int_eq(config.blocking, POLICY_SKIP);
    ck_assert_uint_eq(config.size, least);
    const struct policy_config before = config;
    ck_assert_int_eq(policy_config_set(&config, "time_limits", "true", &error), POLICY_UNSUPPORTED);
    harness_contains(error.message, "no room for the option 'time_limits'");
    ck_assert_int_eq(policy_config_set(&config, "time_limits", "false", &error),
                     POLICY_OK); /* as it is */
    ck_assert_int_eq(policy_config_set(&config, "no-such", "1", &error), POLICY_UNKNOWN);
    ck_assert_mem_eq(&config, &before, sizeof config);
}
END_TEST

static const uint32_t wrong_sizes[] = {0, 4, 223, 4097, UINT32_MAX};

START_TEST(sizes_that_cannot_be_are_refused)
{
    struct tally tally = {0};
    struct policy_error error = {0};
    struct policy_config config = {0};
    ck_assert_int_eq(
        policy_config_init_sized(&config, wrong_sizes[_i], "fifo", tally_allocator(&tally), &error),
        POLICY_INVALID);
    harness_contains(error.message, "size");
    ck_assert_int_eq(policy_config_init(&config, "fifo", tally_allocator(&tally), &error),
                     POLICY_OK);
    config.size = wrong_sizes[_i];
    ck_assert_ptr_null(policy_create(&config, &error));
    ck_assert_int_eq(policy_config_set(&config, "seed", "1", &error), POLICY_INVALID);
    ck_assert_int_eq(policy_config_check(&config, &error), POLICY_INVALID);
    ck_assert(!policy_is_ranked(&config) && !policy_placement_counts(&config));
}
END_TEST

START_TEST(share_rows_may_be_longer)
{
    struct {
        struct policy_share_row row;
        int64_t later;
    } rows[2];
    memset(rows, 0, sizeof rows);
    for (int i = 0; i < 2; i++) {
        rows[i].row = (struct policy_share_row){.size = sizeof rows[i],
                                                .parent = POLICY_NO_ID,
                                                .gpu = {1000, -1, 1000},
                                                .cpu = {-1, -1, 0},
                                                .mem = {-1, -1, 0},
                                                .request = {9000, 0, 0}};
    }
    struct tally tally = {0};
    struct policy_amounts left, capacity = {4000, 0, 0};
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, &rows[0].row, 2, &left),
                     POLICY_OK);
    ck_assert_int_eq(rows[0].row.fair_share.gpu, 2000);
    ck_assert_int_eq(rows[1].row.fair_share.gpu, 2000);
    rows[1].later = 1;
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, &rows[0].row, 2, &left),
                     POLICY_INVALID);
    rows[1].later = 0;
    rows[1].row.size -= 8; /* not that of the first */
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, &rows[0].row, 2, &left),
                     POLICY_INVALID);
    ck_assert_uint_eq(tally.bytes, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sized");
    TCase *tcase = tcase_create("sized");
    tcase_add_loop_test(tcase, members_missing_in_an_older_struct_are_zero, 0, PC_SIZED);
    tcase_add_loop_test(tcase, members_added_by_a_newer_struct_must_be_zero, 0, PC_SIZED);
    tcase_add_loop_test(tcase, answers_are_cut_to_the_caller_s_size, 0, PC_SIZED);
    tcase_add_test(tcase, an_older_configuration_is_that_of_its_preset);
    tcase_add_test(tcase, options_without_room_are_refused);
    tcase_add_loop_test(tcase, sizes_that_cannot_be_are_refused, 0, ROWS(wrong_sizes));
    tcase_add_test(tcase, share_rows_may_be_longer);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
