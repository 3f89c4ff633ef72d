/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An observer that needs more of a simulation than its summary; see sim/study/run_one.h. */
#ifndef SIM_WORLD_RUN_WATCH_H
#define SIM_WORLD_RUN_WATCH_H

#include "sim/world/simulate.h"

struct run_watch {
    void *self;                /* NULL: none */
    void (*begin)(void *self); /* forget everything: a run that turned out to need a sorted trace
                                  begins again */
    struct sim_observer observer;
    void (*finish)(void *self, const struct simulation *); /* all has happened */
};

#endif
