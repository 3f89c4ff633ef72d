#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Prints C source that holds the files named as arguments: a table of name, bytes, size.
set -eu
export LC_ALL=C

echo '/* SPDX-License-Identifier: GPL-3.0-or-later */'
echo '/* Made by scenarios/catalog/embed.sh from scenarios/catalog/; do not edit. */'
echo '#include "scenarios/catalog/embedded.h"'
i=0
for file in "$@"; do
    echo "static const unsigned char data_$i[] = {"
    od -An -v -tu1 "$file" | sed -e 's/  */,/g' -e 's/^,//' -e 's/$/,/'
    echo "0};"
    i=$((i + 1))
done
echo 'const struct embedded_file embedded_files[] = {'
i=0
for file in "$@"; do
    echo "{\"$(basename "$file")\", data_$i, sizeof data_$i - 1},"
    i=$((i + 1))
done
echo '};'
echo "const unsigned embedded_file_count = $i;"
