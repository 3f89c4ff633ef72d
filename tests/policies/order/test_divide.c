/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The division of a forest: requests sum up, shares are passed down, each resource separately;
 * refusals and lack of memory. */
#include "tests/lib/core.h"
#include "tests/lib/harness.h"

#include <string.h>

#define NO   POLICY_UNLIMITED
#define ROOT POLICY_NO_ID

static const struct policy_share nothing = {0, NO, 0};

/* GPU quota, GPU weight and GPU request in thousandths; CPU and memory are not requested. */
static struct policy_share_row gpu_row(uint32_t parent, int64_t quota, int64_t weight,
                                       int64_t request)
{
    return (struct policy_share_row){.size = sizeof(struct policy_share_row),
                                     .parent = parent,
                                     .priority = 100,
                                     .gpu = {quota, NO, weight},
                                     .cpu = nothing,
                                     .mem = nothing,
                                     .request = {request, 0, 0},
                                     .fair_share = {-7, -7, -7}};
}

static struct policy_amounts divide(int64_t gpu, struct policy_share_row *rows, uint32_t count)
{
    struct tally tally = {0};
    struct policy_amounts capacity = {gpu, 0, 0};
    struct policy_amounts left = {-9, -9, -9};
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, rows, count, &left),
                     POLICY_OK);
    ck_assert_uint_eq(tally.bytes, 0);
    return left;
}

START_TEST(each_resource_by_itself)
{
    struct policy_share_row rows[2] = {
        {.size = sizeof rows[0],
         .parent = ROOT,
         .gpu = {1000, NO, 1000},
         .cpu = {200, 700, 1000},
         .mem = {NO, NO, 0},
         .request = {9000, 900, 30},
         .created = 5},
        {.size = sizeof rows[0],
         .parent = ROOT,
         .gpu = {0, NO, 1000},
         .cpu = {0, NO, 1000},
         .mem = {40, NO, 0},
         .request = {9000, 900, 90},
         .created = 4},
    };
    struct policy_amounts capacity = {8000, 1101, 100};
    struct policy_amounts left;
    struct tally tally = {0};
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, rows, 2, &left),
                     POLICY_OK);
    // GPU: 1, and 7 of which 3.5 each; the last whole one to the older. CPU: 200, and 901: 450 and
    // the older 451.
    ck_assert_int_eq(rows[0].fair_share.gpu, 4000);
    ck_assert_int_eq(rows[1].fair_share.gpu, 4000);
    ck_assert_int_eq(rows[0].fair_share.cpu, 650);
    ck_assert_int_eq(rows[1].fair_share.cpu, 451);
    ck_assert_int_eq(rows[0].fair_share.mem, 30);
    ck_assert_int_eq(rows[1].fair_share.mem, 40);
    ck_assert_int_eq(left.gpu, 0);
    ck_assert_int_eq(left.cpu, 0);
    ck_assert_int_eq(left.mem, 30);
}
END_TEST

/* The request of an inner queue is that of its leaves, whatever its row says; children divide its
 * share. */
START_TEST(children_divide_the_share_of_their_parent)
{
    struct policy_share_row rows[] = {
        gpu_row(ROOT, 0, 1000, 777777), /* 0: 6 of 8 wanted, entitled to 4 */
        gpu_row(0, 0, 3000, 5000),      /* 1: 3 of the 4 */
        gpu_row(ROOT, 0, 1000, 9000),   /* 2 */
        gpu_row(0, 0, 1000, 1000),      /* 3: 1 of the 4 */
    };
    struct policy_amounts left = divide(8000, rows, 4);
    static const int64_t expected[] = {4000, 3000, 4000, 1000};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(rows[i].fair_share.gpu, expected[i]);
    ck_assert_int_eq(left.gpu, 0);
    ck_assert_int_eq(rows[0].request.gpu, 777777);
}
END_TEST

START_TEST(what_a_parent_wants_is_what_its_leaves_want)
{
    struct policy_share_row rows[] = {
        gpu_row(ROOT, NO, 0, 0),
        gpu_row(0, 0, 1000, 0),
        gpu_row(1, 0, 1000, 2000),
        gpu_row(1, 0, 1000, 1000),
    };
    struct policy_amounts left = divide(8000, rows, 4);
    static const int64_t expected[] = {3000, 3000, 2000, 1000};
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(rows[i].fair_share.gpu, expected[i]);
    ck_assert_int_eq(left.gpu, 5000);
}
END_TEST

/* The quotas of children are not cut to what their parent has. */
START_TEST(quotas_of_children_stand)
{
    struct policy_share_row rows[] = {gpu_row(ROOT, 1000, 0, 0), gpu_row(0, 3000, 0, 9000),
                                      gpu_row(0, NO, 0, 9000)};
    divide(8000, rows, 3);
    ck_assert_int_eq(rows[0].fair_share.gpu, 1000);
    ck_assert_int_eq(rows[1].fair_share.gpu, 3000);
    ck_assert_int_eq(rows[2].fair_share.gpu, 1000); // unlimited: all that the parent has
}
END_TEST

START_TEST(no_rows_leave_everything)
{
    ck_assert_int_eq(divide(8000, NULL, 0).gpu, 8000);
}
END_TEST

/* ---- refusals ---- */

static void forward_parent(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[1].parent = 2;
}
static void own_parent(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[1].parent = 1;
}
static void no_such_parent(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[2].parent = 17;
}
static void negative_weight(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[2].mem.weight = -1;
}
static void enormous_weight(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[2].cpu.weight = INT64_MAX;
}
static void negative_quota(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[0].gpu.quota = -2;
}
static void negative_limit(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[0].cpu.limit = INT64_MIN;
}
static void negative_request(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[0].request.mem = -1;
}
static void enormous_request(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[0].request.gpu = INT64_MAX;
}
static void negative_usage(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)c;
    r[0].usage_ppm.gpu = -1;
}
static void negative_capacity(struct policy_share_row *r, struct policy_amounts *c)
{
    (void)r;
    c->cpu = -2;
}

typedef void (*spoil)(struct policy_share_row *, struct policy_amounts *);
static const spoil spoils[] = {forward_parent,   own_parent,     no_such_parent,   negative_weight,
                               enormous_weight,  negative_quota, negative_limit,   negative_request,
                               enormous_request, negative_usage, negative_capacity};

START_TEST(nonsense_is_refused)
{
    struct policy_share_row rows[] = {gpu_row(ROOT, 1, 1, 1), gpu_row(0, 1, 1, 1),
                                      gpu_row(0, 1, 1, 1)};
    struct policy_amounts capacity = {8000, 0, 0};
    struct policy_amounts left = {-9, -9, -9};
    struct tally tally = {0};
    spoils[_i](rows, &capacity);
    ck_assert_int_eq(policy_divide(tally_allocator(&tally), &capacity, 0, rows, 3, &left),
                     POLICY_INVALID);
    ck_assert_uint_eq(tally.calls, 0);
    ck_assert_int_eq(left.gpu, -9);
    ck_assert_int_eq(rows[1].fair_share.gpu, -7);
}
END_TEST

START_TEST(without_memory_nothing_changes)
{
    bool failed = true;
    for (uint64_t n = 1; failed; n++) {
        ck_assert_uint_lt(n, 100);
        struct policy_share_row rows[] = {gpu_row(ROOT, 0, 1000, 0), gpu_row(0, 0, 1000, 3000)};
        struct policy_amounts capacity = {8000, 0, 0};
        struct policy_amounts left = {-9, -9, -9};
        struct tally tally = {.fail_at = n};
        int status = policy_divide(tally_allocator(&tally), &capacity, 0, rows, 2, &left);
        failed = tally.failed;
        ck_assert_int_eq(status, failed ? POLICY_NO_MEMORY : POLICY_OK);
        ck_assert_int_eq(left.gpu, failed ? -9 : 5000);
        ck_assert_int_eq(rows[1].fair_share.gpu, failed ? -7 : 3000);
        ck_assert_uint_eq(tally.bytes, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("divide");
    TCase *tcase = tcase_create("forests");
    tcase_add_test(tcase, each_resource_by_itself);
    tcase_add_test(tcase, children_divide_the_share_of_their_parent);
    tcase_add_test(tcase, what_a_parent_wants_is_what_its_leaves_want);
    tcase_add_test(tcase, quotas_of_children_stand);
    tcase_add_test(tcase, no_rows_leave_everything);
    tcase_add_loop_test(tcase, nonsense_is_refused, 0, ROWS(spoils));
    tcase_add_test(tcase, without_memory_nothing_changes);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
