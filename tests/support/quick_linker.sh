#!/bin/bash
# Makes FOLDER with mold in place of the usual linker, and prints the folder for COMPILER_PATH. Compilers look for a
# linker there first, POCL's too. Exit status 1: no mold.
# usage: quick_linker.sh FOLDER
set -euo pipefail
folder=$1
mold=$(command -v mold)
mkdir -p "$folder"
ln -sf "$mold" "$folder/ld"
readlink -e "$folder"
