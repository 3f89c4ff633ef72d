/* SPDX-License-Identifier: MIT */
/* uthash with keys of one uint64_t, such as the number of a job with its generation. Aborts if out
 * of memory. */
#ifndef POLICY_FACTS_HASH_H
#define POLICY_FACTS_HASH_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Combines two numbers into a key. */
static inline uint64_t hash_key(uint32_t first, uint32_t second)
{
    return (uint64_t)first << 32 | second;
}

/* One multiplication and a fold: spreads consecutive numbers. */
static inline unsigned hash_number(const void *key)
{
    uint64_t number;
    memcpy(&number, key, sizeof number);
    number = (number ^ number >> 32) * 0xff51afd7ed558ccdu;
    return (unsigned)(number ^ number >> 32);
}

#define HASH_FUNCTION(key, length, value) ((value) = hash_number(key))
#define uthash_fatal(message)             abort()
#include <uthash.h>

#endif
