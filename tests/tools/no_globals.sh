#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names every object in writable memory that the object files or archives define: no_globals.sh
# FILE... Constant tables with addresses in them (.data.rel.ro) are relocated once by the loader and
# are read-only after that.
#
# Signal handlers have no argument of their own, so only they share such objects with the program.
# These are all:
#   ending           which signal came, and what to remove (policies/adapters/ending/ending.c)
#   asking           what a thread is asking the policy core (sim/asked.c)
#   watch, process   what a plugin is being asked, and how signals were handled before (sim/policy/plugin_watch.c)
set -eu

objdump -t "$@" | awk '
    BEGIN {
        allowed["/policies/adapters/ending/ending.o ending"] = allowed["/sim/asked.o asking"] = 1
        allowed["/sim/policy/plugin_watch.o watch"] = allowed["/sim/policy/plugin_watch.o process"] = 1
    }
    function is_allowed(file, name, object) {
        for (object in allowed)
            if (index(file " " name "\n", object "\n")) return 1
        return 0
    }
    /file format/ { file = $1; sub(/:$/, "", file) }
    {
        section = ""
        for (i = 2; i <= NF; i++)
            if ($i ~ /^(\.t?data|\.t?bss|\*COM\*)/) section = $i
        if (section == "" || section ~ /^\.data\.rel\.ro/) next
        if ($0 ~ / d +/ && $NF == section) next # the section itself
        if (is_allowed(file, $NF)) next
        print file ": " $NF " in " section
        found = 1
    }
    END { exit found }'
