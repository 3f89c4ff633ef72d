/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that this project does not use, each for a reason: no bound on what they write, errors
 * that go unseen, a clock or a locale that would make outputs differ. The build includes this
 * header everywhere.
 */
#ifndef SIM_BASE_BANNED_H
#define SIM_BASE_BANNED_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FAUXFLEET_BANNED(f) f##_is_banned_see_sim_base_banned_h

#undef strcpy
#undef strcat
#undef strncpy
#undef strncat
#undef sprintf
#undef vsprintf
#undef strtok
#undef atoi
#undef atol
#undef gets
#undef rand
#undef random
#undef localtime
#undef gmtime
#undef ctime
#undef asctime
#undef setlocale
#undef system
#define strcpy(...)    FAUXFLEET_BANNED(strcpy)
#define strcat(...)    FAUXFLEET_BANNED(strcat)
#define strncpy(...)   FAUXFLEET_BANNED(strncpy)
#define strncat(...)   FAUXFLEET_BANNED(strncat)
#define sprintf(...)   FAUXFLEET_BANNED(sprintf)
#define vsprintf(...)  FAUXFLEET_BANNED(vsprintf)
#define strtok(...)    FAUXFLEET_BANNED(strtok)
#define atoi(...)      FAUXFLEET_BANNED(atoi)
#define atol(...)      FAUXFLEET_BANNED(atol)
#define gets(...)      FAUXFLEET_BANNED(gets)
#define rand(...)      FAUXFLEET_BANNED(rand)
#define random(...)    FAUXFLEET_BANNED(random)
#define localtime(...) FAUXFLEET_BANNED(localtime)
#define gmtime(...)    FAUXFLEET_BANNED(gmtime)
#define ctime(...)     FAUXFLEET_BANNED(ctime)
#define asctime(...)   FAUXFLEET_BANNED(asctime)
#define setlocale(...) FAUXFLEET_BANNED(setlocale)
#define system(...)    FAUXFLEET_BANNED(system)

#endif
