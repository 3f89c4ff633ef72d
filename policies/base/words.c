/* SPDX-License-Identifier: MIT */
/* Values of options from text; see words.h. */
#include "base/words.h"

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
