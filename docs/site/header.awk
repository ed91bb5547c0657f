# header.awk: Doxygen's head of a page with the search of the site. usage: awk -f docs/site/header.awk HEADER
/<\/head>/ { print "<script src=\"$relpath^search.js\" defer></script>" }
{ print }
