#!/bin/bash
# Makes this machine's POCL once more in FOLDER, with a shorter header of OpenCL C, and prints the folder for
# OCL_ICD_VENDORS. Other drivers are registered there as in VENDORS. POCL reads the header's 18,000 lines for each
# program, which is half the time of a small one. Functions of vectors (but for loads and stores), images and pipes go,
# and conversions that saturate or round. POCL rejects a kernel that needs one of them. Exit status 1: no POCL, or one
# that is not laid out so.
# usage: short_pocl.sh FOLDER [VENDORS]
set -euo pipefail
folder=$1
vendors=${2:-/etc/OpenCL/vendors}
[ -e "$vendors/pocl.icd" ] || exit 1
library=$(head -n 1 "$vendors/pocl.icd")
if [[ $library != /* ]]; then
    any=$(/sbin/ldconfig -p | awk '$1 ~ /^libpocl\.so/ { path = $NF } END { print path }')
    library=$(dirname "$any")/$library
fi
shared=$(readlink -e "$(dirname "$library")/../../share/pocl") || exit 1
[ -e "$library" ] && [ -e "$shared/include/opencl-c.h" ] || exit 1

# POCL finds its folder by the library's own place.
rm -rf "$folder"
mkdir -p "$folder/lib/any" "$folder/share/pocl" "$folder/vendors"
folder=$(readlink -e "$folder")
cp -L "$library" "$folder/lib/any/"
[ ! -d "$(dirname "$library")/pocl" ] || cp -r "$(dirname "$library")/pocl" "$folder/lib/any/"
cp -rs "$shared"/* "$folder/share/pocl/"
rm "$folder/share/pocl/include/opencl-c.h"
awk '
    /__ovld.*\);$/ && !/ v(load|store)/ &&
        (/(char|short|int|long|half|float|double)(2|3|4|8|16)[^0-9a-z]/ ||
         /image|pipe|sampler_t| convert_[a-z]+_/) { next }
    { print }' "$shared/include/opencl-c.h" > "$folder/share/pocl/include/opencl-c.h"
cp "$vendors"/*.icd "$folder/vendors/"
echo "$folder/lib/any/$(basename "$library")" > "$folder/vendors/pocl.icd"
echo "$folder/vendors"
