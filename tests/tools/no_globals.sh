#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Names every object in writable memory that the object files or archives define: no_globals.sh FILE...
# Tables of constants with addresses in them (.data.rel.ro) are fixed up once by the loader and read-only then.
set -eu

objdump -t "$@" | awk '
    /file format/ { file = $1; sub(/:$/, "", file) }
    {
        section = ""
        for (i = 2; i <= NF; i++)
            if ($i ~ /^(\.t?data|\.t?bss|\*COM\*)/) section = $i
        if (section == "" || section ~ /^\.data\.rel\.ro/) next
        if ($0 ~ / d +/ && $NF == section) next # the section itself
        print file ": " $NF " in " section
        found = 1
    }
    END { exit found }'
