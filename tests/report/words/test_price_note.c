/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The note beside costs: bases, marks and unknown prices of one summary or several. */
#include "report/words/price_note.h"
#include "tests/lib/harness.h"

#include <stdlib.h>
#include <string.h>

#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

#define COST(basis, unverified, given, unpriced)                                                   \
    "{\"cost\": {\"basis\": " basis ", \"unverified\": [" unverified "], \"given\": [" given       \
    "], \"unpriced\": [" unpriced "]}}"

static const struct {
    const char *first, *second; /* NULL: one summary */
    const char *note;           /* NULL: no note */
    bool unverified;
} rows[] = {
    {COST("\"rent\"", "", "", ""), NULL, "prices: rent", false},
    {COST("\"own\"", "\"a\", \"b\"", "", ""), NULL, "prices: own; unverified (?): a, b", true},
    {COST("\"rent\"", "\"a\"", "\"lab\"", "\"x\""), NULL,
     "prices: rent; unverified (?): a; your own: lab; unknown: x", true},
    {COST("\"rent\"", "\"a\"", "", ""), COST("\"rent\"", "\"b\", \"a\"", "", ""),
     "prices: rent; unverified (?): a, b", true},
    {COST("\"rent\"", "", "", ""), COST("\"own\"", "", "", ""),
     "prices: rent, own: different bases (cost.basis), so amounts cannot be compared", false},
    {COST("\"rent\"", "\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\"", "", ""), NULL,
     "prices: rent; unverified (?): 1, 2, 3, 4, 5, 6 and 2 more", true},
    {COST("null", "", "", ""), NULL, NULL, false},   /* no node has figures */
    {"{\"cost\": {\"usd\": 5}}", NULL, NULL, false}, /* of an earlier version */
    {"{}", NULL, NULL, false},
};

START_TEST(what_is_to_be_said_of_prices)
{
    struct price_notes notes = {0};
    const char *const texts[] = {rows[_i].first, rows[_i].second};
    for (int i = 0; i < 2 && texts[i] != NULL; i++) {
        cJSON *summary = cJSON_Parse(texts[i]);
        ck_assert_ptr_nonnull(summary);
        price_notes_add(&notes, summary);
        cJSON_Delete(summary);
    }
    char *text = price_notes_text(&notes);
    if (rows[_i].note == NULL)
        ck_assert_ptr_null(text);
    else
        ck_assert_str_eq(text, rows[_i].note);
    ck_assert(price_notes_unverified(&notes) == rows[_i].unverified);
    free(text);
    price_notes_fini(&notes);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("price note");
    TCase *tcase = tcase_create("price note");
    tcase_add_loop_test(tcase, what_is_to_be_said_of_prices, 0, ROWS(rows));
    suite_add_tcase(suite, tcase);
    return harness_run(suite);
}
