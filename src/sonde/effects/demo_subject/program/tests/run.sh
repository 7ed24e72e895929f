#!/bin/sh
# Packs and unpacks the sources with the options of each line in tests/cases.
set -e
packed=$(mktemp)
unpacked=$(mktemp)
trap 'rm -f "$packed" "$unpacked"' EXIT
for case in tests/cases/*.txt; do
    while read -r options; do
        for input in src/*.c packer; do
            ./packer $options "$input" "$packed"
            ./packer --unpack "$packed" "$unpacked"
            cmp "$input" "$unpacked"
        done
    done < "$case"
done
echo "all cases passed"
