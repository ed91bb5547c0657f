#!/bin/sh
# Compares what sales prints of small tables, and of lines that do not fit. usage: test_sales.sh SALES
set -eu

program=$1
data=$(cd "$(dirname "$0")/../../examples/data" && pwd)
# shellcheck source=tests/examples/expect.sh
. "$(dirname "$0")/expect.sh"

"$program" "$data/sales.csv" "$data/products.csv" > printed
cat > expected << 'END'
product,units,revenue
coffee,6,29.00
tea,5,17.20
cocoa,4,11.00

supplier,revenue
South,40.00
East,17.20
END
expect "the tables of docs/sales.md"

# More names than the first table of codes has room for, one without a supplier, one line that does not fit.
{
    echo product,units,cents
    for k in $(seq 500); do echo "p$k,1,$k"; done
    echo '"p 500, loose",2,1000'
    echo p1,two,3
} > sales.csv
{
    echo product,supplier
    for k in $(seq 500); do echo "p$k,s$((k % 2))"; done
} > products.csv
"$program" sales.csv products.csv > printed 2> told
cat > expected << 'END'
product,units,revenue
"p 500, loose",2,20.00
p500,1,5.00
p499,1,4.99

supplier,revenue
,20.00
s1,625.00
s0,627.50
END
expect "many names"
cp told printed
echo 'sales.csv:503: row skipped: units or cents that are no whole number' > expected
expect "a line that does not fit"

# Of many lines the first are told.
{
    echo product,units,price
    for _ in $(seq 20); do echo tea,1,3.50; done
    echo tea,1
} > prices.csv
! "$program" prices.csv products.csv 2> printed || echo "sales has read prices" >> printed
{
    for k in $(seq 2 11); do echo "prices.csv:$k: row skipped: units or cents that are no whole number"; done
    echo 'prices.csv: more rows are skipped without a word'
    echo 'prices.csv: it has no rows'
} > expected
expect "many lines that do not fit"

# On a terminal it says what it compiles. Without a cache of its own it compiles in each run.
if script --version 2> /dev/null | grep -q util-linux; then
    unset MCL_LOG
    MCL_CACHE_DIR='' script -qec "'$program' '$data/sales.csv' '$data/products.csv'" /dev/null > told
    sed -n '/^mcl_group_by compiles .* s/{s/ compiles.*//p;q;}' told > printed
    echo mcl_group_by > expected
    expect "what is compiled"
fi
echo "test_sales: $failures failures"
[ $failures = 0 ]
