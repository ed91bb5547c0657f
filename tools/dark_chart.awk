# dark_chart.awk: a chart of gnuplot with colours for a dark screen beside its own. Those are attributes of each element,
# which a style sheet goes before. usage: awk -f tools/dark_chart.awk CHART.svg

function dark(from, to)
{
    printf "[fill='%s'] { fill: %s } [stroke='%s'] { stroke: %s } [color='%s'] { color: %s }\n", from, to, from, to, from, to
}

# gnuplot pads the numbers of a colour
function dark_rgb(red, green, blue, to) { dark(sprintf("rgb(%3d, %3d, %3d)", red, green, blue), to) }

{ print }
/<\/desc>/ {
    print "<style>\nsvg { color-scheme: light dark; background: #ffffff }\n@media (prefers-color-scheme: dark) {"
    dark("#ffffff", "#14181d")
    dark("black", "#dfe5eb")
    dark_rgb(27, 95, 168, "#6aa9e9")
    dark_rgb(194, 59, 59, "#f07f7f")
    dark_rgb(127, 176, 222, "#3f74a8")
    dark_rgb(231, 154, 154, "#a85252")
    dark_rgb(201, 209, 217, "#3a444f")
    dark_rgb(85, 85, 85, "#a3aeb9")
    print "text { fill: #dfe5eb }\nsvg { background: #14181d }\n}\n</style>"
}
