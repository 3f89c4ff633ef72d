/* SPDX-License-Identifier: MIT */
/* Parsing option values; see words.h. */
#include "base/words.h"

#include <stddef.h>

bool pc_parse_decimal(const char *text, int digits, int64_t *value)
{
    int64_t scale = 1;
    for (int i = 0; i < digits; i++)
        scale *= 10;
    if (text[0] == '-' && text[1] == '1' && text[2] == '\0') {
        *value = -1;
        return true;
    }
    int64_t number = 0;
    bool any = false;
    for (; *text >= '0' && *text <= '9'; text++, any = true)
        if (__builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *text - '0', &number))
            return false;
    if (__builtin_mul_overflow(number, scale, &number))
        return false;
    if (*text == '.')
        for (text++; *text >= '0' && *text <= '9' && scale > 1; text++, any = true) {
            scale /= 10;
            if (__builtin_add_overflow(number, (*text - '0') * scale, &number))
                return false;
        }
    while (*text == '0')
        text++;
    *value = number;
    return any && *text == '\0';
}

int32_t pc_word_of(const char *words, const char *value)
{
    for (int32_t i = 0; *words != '\0'; i++) {
        const char *v = value;
        while (*v != '\0' && *v == *words && *words != '|')
            v++, words++;
        if (*v == '\0' && (*words == '|' || *words == '\0'))
            return i;
        while (*words != '\0' && *words != '|')
            words++;
        words += *words == '|';
    }
    return -1;
}

/* ---- hours of the week ---- */

#define DAYS  7
#define HOURS 24

/* Index of a day, mon to sun; -1: none. */
static int32_t day_at(const char *text)
{
    static const char days[] = "montuewedthufrisatsun";
    for (int32_t day = 0; day < DAYS; day++)
        if (text[0] == days[3 * day] && text[1] == days[3 * day + 1] &&
            text[2] == days[3 * day + 2])
            return day;
    return -1;
}

/* Parses "mon" or "mon-fri"; NULL: neither. */
static const char *parse_days(const char *text, int32_t *first, int32_t *last)
{
    *first = *last = text[0] != '\0' && text[1] != '\0' ? day_at(text) : -1;
    if (*first < 0)
        return NULL;
    text += 3;
    if (*text == '-' && text[1] != '\0' && text[2] != '\0') {
        *last = day_at(text + 1);
        text += 4;
    }
    return *last >= *first ? text : NULL;
}

/* Parses an hour up to 24; NULL: none. */
static const char *parse_hour(const char *text, int32_t *hour)
{
    *hour = 0;
    const char *begin = text;
    for (; *text >= '0' && *text <= '9' && text - begin < 2; text++)
        *hour = *hour * 10 + (*text - '0');
    return text > begin && *hour <= HOURS ? text : NULL;
}

bool pc_parse_hours(const char *text, uint64_t hours[3])
{
    hours[0] = hours[1] = hours[2] = 0;
    for (;;) {
        int32_t first, last, from, to;
        text = parse_days(text, &first, &last);
        if (text == NULL || *text++ != ' ' || (text = parse_hour(text, &from)) == NULL ||
            *text++ != '-' || (text = parse_hour(text, &to)) == NULL || to <= from)
            return false;
        for (int32_t day = first; day <= last; day++)
            for (int32_t hour = day * HOURS + from; hour < day * HOURS + to; hour++)
                hours[hour / 64] |= UINT64_C(1) << hour % 64;
        if (*text == '\0')
            return true;
        if (*text++ != ',')
            return false;
    }
}
