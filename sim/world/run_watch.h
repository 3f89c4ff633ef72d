/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Somebody who wants to know more of a simulation than its summary says; see sim/study/run_one.h. */
#ifndef SIM_WORLD_RUN_WATCH_H
#define SIM_WORLD_RUN_WATCH_H

#include "sim/world/simulate.h"

struct run_watch {
    void *self; /* NULL: nobody does */
    void (*begin)(
        void *self); /* forget everything: a run that turned out to need a sorted trace begins again */
    struct sim_observer observer;
    void (*finish)(void *self, const struct simulation *); /* all has happened */
};

#endif
