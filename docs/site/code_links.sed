# code_links.sed: takes away links of code to names of moderncl.hpp, but those with mcl:: before them. Doxygen looks at
# no namespace: a queue of C, and thrust::sort, would be links too. usage: sed -i -E -f docs/site/code_links.sed PAGE...
s/">mcl::/">\n/g
s!<a class="code[^"]*" href="(namespacemcl|structmcl_1_1|[a-z_]+_8hpp)[^"]*">([a-z_:]+)</a>!\2!g
s/">\n/">mcl::/g
