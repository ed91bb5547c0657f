#!/bin/sh
# Joins small tables and compares what join_csv prints. usage: test_join_csv.sh JOIN_CSV
set -eu

program=$1
# shellcheck source=tests/examples/expect.sh
. "$(dirname "$0")/expect.sh"

cat > people.csv << 'END'
id,name,city
3,Ada,London
1,"Grace ""Amazing"" Hopper",New York
x7,Nobody,Nowhere
2,Alan,"Manchester, Lancashire"
2,Joan,Leeds,too much
2,Kurt,Brno
9,Emmy,Erlangen
END
cat > papers.csv << 'END'
year,id,title
1936,2,Numbers
1843,3,Notes
1952,1,Compilers
1931,2,Proofs
1900,5,Problems
END

"$program" people.csv papers.csv id > printed 2> told
cat > expected << 'END'
id,name,city,year,title
1,"Grace ""Amazing"" Hopper",New York,1952,Compilers
2,Alan,"Manchester, Lancashire",1936,Numbers
2,Alan,"Manchester, Lancashire",1931,Proofs
2,Kurt,Brno,1936,Numbers
2,Kurt,Brno,1931,Proofs
3,Ada,London,1843,Notes
END
expect "inner join"
cp told printed
cat > expected << 'END'
people.csv:4: row skipped: a key that is no whole number; --strings joins any text
people.csv:6: row skipped: not as many fields as the header has
END
expect "malformed rows"

"$program" --outer people.csv papers.csv id 2> /dev/null | tail -n 2 > printed
cat > expected << 'END'
9,Emmy,Erlangen,,
5,,,1900,Problems
END
expect "outer join"

# Any text is a key; the rows with too few or too many fields are left out all the same.
"$program" --strings --left people.csv papers.csv id 2> /dev/null | sort > printed
cat > expected << 'END'
1,"Grace ""Amazing"" Hopper",New York,1952,Compilers
2,Alan,"Manchester, Lancashire",1931,Proofs
2,Alan,"Manchester, Lancashire",1936,Numbers
2,Kurt,Brno,1931,Proofs
2,Kurt,Brno,1936,Numbers
3,Ada,London,1843,Notes
9,Emmy,Erlangen,,
id,name,city,year,title
x7,Nobody,Nowhere,,
END
LC_ALL=C sort expected > sorted
LC_ALL=C sort printed > unsorted
mv sorted expected
mv unsorted printed
expect "left join of texts"

if "$program" --strict people.csv papers.csv id > printed 2>&1; then
    echo "--strict: a malformed row is no failure"
    failures=$((failures + 1))
fi
echo "people.csv:4: row refused: a key that is no whole number; --strings joins any text" > expected
expect "--strict"

printf 'id,rest\n1,"open\n' > open.csv
"$program" open.csv papers.csv id > printed 2>&1
cat > expected << 'END'
open.csv:2: row skipped: a quote without an end
id,rest,year,title
END
LC_ALL=C sort expected > sorted
LC_ALL=C sort printed > unsorted
mv sorted expected
mv unsorted printed
expect "an open quote, and a table without rows"

if "$program" people.csv papers.csv nothing > printed 2>&1; then failures=$((failures + 1)); fi
echo "people.csv:1: there is no column nothing" > expected
expect "no such column"

[ "$failures" = 0 ]
