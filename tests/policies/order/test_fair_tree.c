/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fair Tree: values and ranks of trees computed by hand from the published algorithm. */
#include "order/fair_tree.h"
#include "tests/lib/harness.h"

#include <string.h>

enum { MOST = 12 };

#define ROOT PC_FAIR_ROOT
#define ONE  (UINT64_C(1) << 40)

/* Accounts, then users; the expected places are those of the users in order. */
static const struct {
    const char *what;
    struct pc_fair_row rows[MOST];
    uint32_t count;
    uint32_t places[MOST];
} trees[] = {
    {"less usage of the same share comes first",
     {{.parent = ROOT, .shares = 1},
      {.parent = 0, .user = true, .shares = 1, .used = 30},
      {.parent = 0, .user = true, .shares = 1, .used = 10},
      {.parent = 0, .user = true, .shares = 1, .used = 20}},
     4,
     {1, 3, 2}},
    /* S / U: (3/4) / (60/90) = 1.125 and (1/4) / (30/90) = 0.75 */
    {"shares are weighed against use",
     {{.parent = ROOT, .user = true, .shares = 1, .used = 30},
      {.parent = ROOT, .user = true, .shares = 3, .used = 60}},
     2,
     {1, 2}},
    /*
     * a: (1/2) / (40/100) = 1.25, b: (1/2) / (60/100) = 0.83. So the heaviest user of a (39 of 40)
     * precedes the lightest of b (1 of 60): the inside of an account does not matter outside of it.
     */
    {"all users of an account come before all of the next",
     {{.parent = ROOT, .shares = 1},
      {.parent = ROOT, .shares = 1},
      {.parent = 0, .user = true, .shares = 1, .used = 39},
      {.parent = 0, .user = true, .shares = 1, .used = 1},
      {.parent = 1, .user = true, .shares = 1, .used = 1},
      {.parent = 1, .user = true, .shares = 1, .used = 59}},
     6,
     {3, 4, 2, 1}},
    /* Departments d (2 of 3 shares, 60 of 100 used: 1.11) and e (1 of 3, 40: 0.83); in d: x
     * 0.5/(50/60), y 0.5/(10/60). */
    {"a tree of three levels",
     {{.parent = ROOT, .shares = 2000},
      {.parent = ROOT, .shares = 1000},
      {.parent = 0, .shares = 500},
      {.parent = 0, .shares = 500},
      {.parent = 1, .shares = 7},
      {.parent = 2, .user = true, .shares = 1, .used = 50},
      {.parent = 3, .user = true, .shares = 1, .used = 10},
      {.parent = 4, .user = true, .shares = 1, .used = 0},
      {.parent = 4, .user = true, .shares = 1, .used = 40}},
     9,
     {3, 4, 2, 1}},
    {"without use the value is infinite, without shares it is 0",
     {{.parent = ROOT, .user = true, .shares = 1, .used = 1},
      {.parent = ROOT, .user = true, .shares = 1, .used = 0},
      {.parent = ROOT, .user = true, .shares = 0, .used = 0}},
     3,
     {2, 3, 1}},
    {"users with equal values share the better rank, and the next is as far behind as they are "
     "many",
     {{.parent = ROOT, .user = true, .shares = 1, .used = 5},
      {.parent = ROOT, .user = true, .shares = 2, .used = 10},
      {.parent = ROOT, .user = true, .shares = 1, .used = 50}},
     3,
     {3, 3, 1}},
    /* a and b have equal values: their users are sorted together by their values inside each: 3/4,
     * 1/4 of a, 1/2 of b. */
    {"accounts with equal values are merged",
     {{.parent = ROOT, .shares = 1},
      {.parent = ROOT, .shares = 1},
      {.parent = 0, .user = true, .shares = 1, .used = 30},
      {.parent = 0, .user = true, .shares = 1, .used = 10},
      {.parent = 1, .user = true, .shares = 1, .used = 20},
      {.parent = 1, .user = true, .shares = 1, .used = 20}},
     6,
     {1, 4, 3, 3}},
    /* The user and account a have equal values: the user has the rank of the first one in the
       account. */
    {"a user and an account with equal values",
     {{.parent = ROOT, .shares = 1},
      {.parent = ROOT, .user = true, .shares = 1, .used = 10},
      {.parent = 0, .user = true, .shares = 1, .used = 2},
      {.parent = 0, .user = true, .shares = 1, .used = 8}},
     4,
     {3, 3, 1}},
    {"no usage at all: all are the first",
     {{.parent = ROOT, .shares = 9},
      {.parent = ROOT, .shares = 1},
      {.parent = 0, .user = true, .shares = 1},
      {.parent = 1, .user = true, .shares = 1}},
     4,
     {2, 2}},
    {"accounts may be listed after their users", /* rows in any order */
     {{.parent = 2, .user = true, .shares = 1, .used = 1},
      {.parent = 3, .user = true, .shares = 1, .used = 2},
      {.parent = ROOT, .shares = 1},
      {.parent = ROOT, .shares = 1}},
     4,
     {2, 1}},
};

START_TEST(users_are_ranked)
{
    struct pc_fair_row rows[MOST];
    uint32_t users[MOST];
    uint32_t expected = 0;
    uint32_t seen = 0;
    memcpy(rows, trees[_i].rows, sizeof rows);
    for (uint32_t i = 0; i < trees[_i].count; i++)
        expected += rows[i].user;
    for (int again = 0; again < 2; again++) { /* earlier results do not matter */
        ck_assert_uint_eq(pc_fair_tree(rows, trees[_i].count, users), expected);
        seen = 0;
        for (uint32_t i = 0; i < trees[_i].count; i++)
            if (rows[i].user)
                ck_assert_msg(rows[i].place == trees[_i].places[seen], "%s: user %u has place %u",
                              trees[_i].what, seen, rows[i].place),
                    seen++;
    }
    ck_assert_uint_eq(seen, expected);
}
END_TEST

/* (3/4) / (60/90) = 9/8, (1/4) / (30/90) = 3/4, of accounts as of users. */
START_TEST(values_are_exact)
{
    // clang-format off
    const struct pc_fair_row given[4] = {
        {.parent = ROOT, .shares = 3000},
        {.parent = ROOT, .shares = 1000},
        {.parent = 0, .user = true, .shares = 1, .used = 60},
        {.parent = 1, .user = true, .shares = 1, .used = 30},
    };
    // clang-format on
    struct pc_fair_row rows[4];
    memcpy(rows, given, sizeof rows);
    uint32_t users[4];
    ck_assert_uint_eq(pc_fair_tree(rows, 4, users), 2);
    ck_assert_uint_eq(rows[0].level, ONE / 8 * 9);
    ck_assert_uint_eq(rows[1].level, ONE / 4 * 3);
    ck_assert_uint_eq(rows[2].level, ONE); /* alone below its account */
    ck_assert_uint_eq(rows[0].used, 60);
    ck_assert_uint_eq(rows[1].siblings, 4000);
}
END_TEST

/* A whole cluster for a hundred years against one second of one device: still in order, without
 * overflow. */
START_TEST(large_and_small_use_are_compared)
{
    const uint64_t huge =
        UINT64_C(400000000) * 36525 * 86400; /* 400,000 devices, thousandths x s */
    struct pc_fair_row rows[] = {
        {.parent = ROOT, .user = true, .shares = UINT64_C(1) << 30, .used = huge},
        {.parent = ROOT, .user = true, .shares = 1, .used = 1},
        {.parent = ROOT, .user = true, .shares = UINT64_C(1) << 30, .used = huge - 1000000000}};
    uint32_t users[3];
    pc_fair_tree(rows, 3, users);
    ck_assert_uint_eq(rows[1].place, 3);
    ck_assert_uint_eq(rows[2].place, 2);
    ck_assert_uint_eq(rows[0].place, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fair_tree");
    TCase *tcase = tcase_create("fair_tree");
    tcase_add_loop_test(tcase, users_are_ranked, 0, ROWS(trees));
    tcase_add_test(tcase, values_are_exact);
    tcase_add_test(tcase, large_and_small_use_are_compared);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
