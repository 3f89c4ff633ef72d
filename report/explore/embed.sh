#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints C source with the style and the script of the explorer: embed.sh STYLE SCRIPT...
set -eu
export LC_ALL=C

# text NAME FILE...: the files, one behind the other.
text() {
    echo "const char $1[] = {"
    shift
    od -An -v -td1 "$@" | sed -e 's/  */,/g' -e 's/^,//' -e 's/$/,/'
    echo "0};"
}

style=$1
shift
echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by report/explore/embed.sh; do not edit. */'
echo '#include "report/explore/assets.h"'
text explore_style "$style"
text explore_script "$@"
