/* SPDX-License-Identifier: MIT */
/* Facts and decisions as lines of JSON, without what ends a line (chain.h): "{...", to which a "}" is added. */
#ifndef ADAPTERS_FACTS_WRITE_H
#define ADAPTERS_FACTS_WRITE_H

#include "policies/adapters/facts/fields.h"
#include "policies/adapters/facts/text.h"

void fact_write(struct text *, const struct fact *);
void fact_write_decision(struct text *, const struct fact_decision *);

/* The two parts of fact_write(), for who says the same fact again at another time. */
void fact_write_time(struct text *, policy_time);
void fact_write_rest(struct text *, const struct fact *);

#endif
