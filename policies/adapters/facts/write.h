/* SPDX-License-Identifier: MIT */
/* Facts and decisions as lines of JSON, without what ends a line (chain.h): "{...", to which a "}" is added. */
#ifndef ADAPTERS_FACTS_WRITE_H
#define ADAPTERS_FACTS_WRITE_H

#include "policies/adapters/facts/fields.h"
#include "policies/adapters/facts/text.h"

void fact_write(struct text *, const struct fact *);
void fact_write_decision(struct text *, const struct fact_decision *);

#endif
