/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The geometry of MIG: the number of legal states of a device; the places of successive instances.
 */
#include "state/mig.h"
#include "tests/lib/harness.h"

#include <string.h>

struct instance {
    int32_t compute, memory;
};

/* '1' is 1g with one memory slice, 'w' is 1g with two; the others by their compute slices. */
static struct instance named(char name)
{
    static const struct {
        char name;
        struct instance instance;
    } names[] = {
        {'1', {1, 1}}, {'w', {1, 2}}, {'2', {2, 2}}, {'3', {3, 4}}, {'4', {4, 4}}, {'7', {7, 8}},
    };
    for (int i = 0; i < ROWS(names); i++)
        if (names[i].name == name)
            return names[i].instance;
    ck_abort_msg("no profile '%c'", name);
    return (struct instance){0, 0};
}

/* ---- legal states ---- */

/* All places of 1g, 2g, 3g, 4g and 7g on an empty device: a state is a set of these. */
struct place {
    char name;
    int32_t start;
};
enum { PLACES = 14 };

static void list_places(struct place *places)
{
    int count = 0;
    struct pc_mig empty = {0, 0};
    for (const char *name = "74321"; *name != '\0'; name++) {
        struct instance i = named(*name);
        uint8_t starts = pc_mig_starts(&empty, i.compute, i.memory);
        for (int32_t start = 0; start < 8; start++)
            if ((starts >> start & 1) != 0) {
                ck_assert_int_lt(count, PLACES);
                places[count++] = (struct place){*name, start};
            }
    }
    ck_assert_int_eq(count, PLACES);
}

/* Creates the instances of a set in sequence; false if one cannot be created. */
static bool make(const struct place *places, uint32_t set, struct pc_mig *state)
{
    *state = (struct pc_mig){0, 0};
    for (uint32_t p = 0; p < PLACES; p++) {
        if ((set >> p & 1) == 0)
            continue;
        struct instance i = named(places[p].name);
        if ((pc_mig_starts(state, i.compute, i.memory) >> places[p].start & 1) == 0)
            return false;
        pc_mig_take(state, i.compute, i.memory, places[p].start);
    }
    return true;
}

static bool is_maximal(const struct pc_mig *state)
{
    for (const char *name = "74321"; *name != '\0'; name++)
        if (pc_mig_fits(state, named(*name).compute, named(*name).memory))
            return false;
    return true;
}

/* The profiles of a set, largest first: "331". */
static void spell(const struct place *places, uint32_t set, char *text)
{
    for (uint32_t p = 0; p < PLACES; p++)
        if ((set >> p & 1) != 0)
            *text++ = places[p].name;
    *text = '\0';
}

/* The distinct maximal combinations. */
static const char *const combinations[] = {"1111111", "211111", "22111", "2221", "31111",
                                           "3111",    "3211",   "321",   "322",  "33",
                                           "4111",    "421",    "43",    "7"};

START_TEST(states_are_298_of_which_19_are_maximal)
{
    struct place places[PLACES];
    list_places(places);
    int legal = 0;
    int maximal = 0;
    int seen[ROWS(combinations)] = {0};
    for (uint32_t set = 0; set < UINT32_C(1) << PLACES; set++) {
        struct pc_mig state;
        if (!make(places, set, &state))
            continue;
        legal++;
        if (!is_maximal(&state))
            continue;
        maximal++;
        char text[PLACES + 1];
        spell(places, set, text);
        int found = 0;
        for (int i = 0; i < ROWS(combinations); i++)
            if (strcmp(text, combinations[i]) == 0) {
                seen[i]++;
                found++;
            }
        ck_assert_msg(found == 1, "unexpected combination %s", text);
    }
    ck_assert_int_eq(legal, 298);
    ck_assert_int_eq(maximal, 19);
    ck_assert_int_eq(ROWS(combinations), 14);
    for (int i = 0; i < ROWS(combinations); i++)
        ck_assert_msg(seen[i] > 0, "%s was not seen", combinations[i]);
}
END_TEST

/* Instances are removed in another order than they were created; nothing is left over. */
START_TEST(returned_devices_are_free)
{
    struct place places[PLACES];
    list_places(places);
    for (uint32_t set = 0; set < UINT32_C(1) << PLACES; set++) {
        struct pc_mig state;
        if (!make(places, set, &state))
            continue;
        for (uint32_t p = 0; p < PLACES; p++) {
            if ((set >> p & 1) == 0)
                continue;
            struct instance i = named(places[p].name);
            pc_mig_give(&state, i.compute, i.memory, places[p].start);
            struct pc_mig rest;
            ck_assert(make(places, set & (~UINT32_C(0) << (p + 1)), &rest));
            ck_assert_uint_eq(state.slices, rest.slices);
            ck_assert_uint_eq(state.compute, rest.compute);
        }
        ck_assert_uint_eq(state.slices, 0);
        ck_assert_uint_eq(state.compute, 0);
    }
}
END_TEST

/* ---- choice ---- */

/* Successive instances and where they begin; '-' if there is no room. */
static const struct {
    const char *instances, *starts;
} sequences[] = {
    {"11111111", "6543210-"},
    {"2222", "420-"},
    {"333", "40-"},
    {"44", "0-"},
    {"71", "0-"},
    {"17", "6-"},
    {"wwwww", "6420-"},
    {"34", "40"}, /* 3g goes to the end, so that 4g still fits */
    {"43", "04"},
    {"24", "40"},
    {"124", "640"},
    {"214", "460"},
    {"1114", "6540"},
    {"1222", "6420"},
    {"2122", "4620"},
    {"13", "60"}, /* 1g at 6 leaves room for 4g; 3g still has a place */
    {"w4", "60"},
    {"w22", "642"},
    {"w31", "605"},
    {"331", "40-"}, /* one compute slice is left, but no memory */
    {"341", "40-"},
    {"321", "421"},
};

START_TEST(instances_find_their_places)
{
    struct pc_mig state = {0, 0};
    const char *names = sequences[_i].instances;
    for (int n = 0; names[n] != '\0'; n++) {
        struct instance i = named(names[n]);
        int32_t start = pc_mig_place(&state, i.compute, i.memory);
        char expected = sequences[_i].starts[n];
        ck_assert_msg(start == (expected == '-' ? PC_MIG_NOWHERE : expected - '0'),
                      "%s, number %d: at %d, not %c", names, n, (int)start, expected);
        ck_assert_int_eq(pc_mig_fits(&state, i.compute, i.memory), start != PC_MIG_NOWHERE);
        if (start != PC_MIG_NOWHERE)
            pc_mig_take(&state, i.compute, i.memory, start);
    }
}
END_TEST

/* Any set that fits on a device fits if the largest come first. */
START_TEST(combinations_fit_largest_first)
{
    struct pc_mig state = {0, 0};
    for (const char *name = combinations[_i]; *name != '\0'; name++) {
        struct instance i = named(*name);
        int32_t start = pc_mig_place(&state, i.compute, i.memory);
        ck_assert_msg(start != PC_MIG_NOWHERE, "%s: no place for %s", combinations[_i], name);
        pc_mig_take(&state, i.compute, i.memory, start);
    }
}
END_TEST

/* A place is chosen exactly where the profile may begin, in every state of slices and compute. */
START_TEST(a_choice_is_legal)
{
    for (unsigned slices = 0; slices < 256; slices++)
        for (unsigned compute = 0; compute <= 7; compute++)
            for (const char *name = "74321w"; *name != '\0'; name++) {
                struct pc_mig state = {(uint8_t)slices, (uint8_t)compute};
                struct instance i = named(*name);
                uint8_t starts = pc_mig_starts(&state, i.compute, i.memory);
                int32_t start = pc_mig_place(&state, i.compute, i.memory);
                if ((int32_t)compute + i.compute > PC_MIG_COMPUTE)
                    ck_assert_uint_eq(starts, 0);
                if (start == PC_MIG_NOWHERE)
                    ck_assert_uint_eq(starts, 0);
                else
                    ck_assert((starts >> start & 1) != 0);
            }
}
END_TEST

START_TEST(unknown_profiles_never_fit)
{
    static const struct instance strangers[] = {{0, 0},  {5, 4},  {3, 3},  {8, 8},
                                                {-1, 1}, {1, -1}, {1, 40}, {2, 1}};
    struct pc_mig empty = {0, 0};
    for (int i = 0; i < ROWS(strangers); i++) {
        ck_assert(!pc_mig_known(strangers[i].compute, strangers[i].memory));
        ck_assert(!pc_mig_fits(&empty, strangers[i].compute, strangers[i].memory));
        ck_assert_int_eq(pc_mig_place(&empty, strangers[i].compute, strangers[i].memory),
                         PC_MIG_NOWHERE);
    }
    for (const char *name = "74321w"; *name != '\0'; name++)
        ck_assert(pc_mig_known(named(*name).compute, named(*name).memory));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mig");
    TCase *tcase = tcase_create("states");
    tcase_add_test(tcase, states_are_298_of_which_19_are_maximal);
    tcase_add_test(tcase, returned_devices_are_free);
    tcase_add_test(tcase, unknown_profiles_never_fit);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("choice");
    tcase_add_loop_test(tcase, instances_find_their_places, 0, ROWS(sequences));
    tcase_add_loop_test(tcase, combinations_fit_largest_first, 0, ROWS(combinations));
    tcase_add_test(tcase, a_choice_is_legal);
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
