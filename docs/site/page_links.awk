# page_links.awk: a page as Doxygen wants it: links to files that are no pages are text, and pictures are looked for from
# docs on. Doxygen's INPUT_FILTER.
/^```/ { in_fence = !in_fence }
!in_fence {
    gsub(/\]\(\.\.\/charts\//, "](charts/")
    gsub(/\]\(\.\.\/pictures\//, "](pictures/")
    while (match($0, /\[[^]]*\]\([^)]*\)/)) {
        link = substr($0, RSTART, RLENGTH)
        text = link
        sub(/\]\(.*$/, "", text)
        sub(/^\[/, "", text)
        target = link
        sub(/^[^(]*\(/, "", target)
        if (target !~ /^http/ && target !~ /\.(md|svg|png)(#.*)?\)$/) link = text
        else gsub(/\(/, "\001", link)
        $0 = substr($0, 1, RSTART - 1) link substr($0, RSTART + RLENGTH)
    }
    gsub(/\001/, "(")
}
{ print }
