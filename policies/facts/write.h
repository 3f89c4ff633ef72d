/* SPDX-License-Identifier: MIT */
/* Writes facts and decisions as lines of JSON, without the line's end (chain.h): "{...", to which
 * "}" must be added. */
#ifndef POLICY_FACTS_WRITE_H
#define POLICY_FACTS_WRITE_H

#include "policies/facts/fields.h"
#include "policies/facts/text.h"

void fact_write(struct text *, const struct fact *);
void fact_write_decision(struct text *, const struct fact_decision *);

/* The two parts of fact_write(), for writing the same fact again with another time. */
void fact_write_time(struct text *, policy_time);
void fact_write_rest(struct text *, const struct fact *);

#endif
