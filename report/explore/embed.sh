#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints C source with the script and the style of the explorer: embed.sh SCRIPT STYLE
set -eu
export LC_ALL=C

text() {
    echo "const char $1[] = {"
    od -An -v -td1 "$2" | sed -e 's/  */,/g' -e 's/^,//' -e 's/$/,/'
    echo "0};"
}

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by report/explore/embed.sh; do not edit. */'
echo '#include "report/explore/assets.h"'
text explore_script "$1"
text explore_style "$2"
