# What the tests of ranks share, and those of ranks that are threads: they need no MPI. labels: mpi, ranks.

set(environment
    "MCL_CACHE_DIR=${PROJECT_BINARY_DIR}/tests/cache"
    "MCL_BUILD_OPTIONS=-cl-opt-disable" # compiling takes most of the time
    POCL_MAX_PTHREAD_COUNT=1
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_mpi_yield_when_idle=1)

find_package(Threads REQUIRED)
set(suites suites.c ranks_test.c fuzz.c fuzz_calls.c test_folds.c test_moves.c test_sorts.c test_lists.c test_relations.c
    test_map.c test_segmented.c test_select.c test_group_by.c test_joins.c test_errors.c test_agree.c)
list(TRANSFORM suites PREPEND "${CMAKE_CURRENT_LIST_DIR}/")

add_executable(test_ranks tests/main_threads.c tests/threads.c tests/test_messages.c ${suites})
target_link_libraries(test_ranks PRIVATE moderncl_ranks Threads::Threads)
# mcl_ranks_test(NAME ARGUMENTS...): mostly one thread, which compiles.
function(mcl_ranks_test name)
    add_test(NAME ${name} COMMAND test_ranks ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS "mpi;ranks" TIMEOUT 1200 ENVIRONMENT
                         "${environment};MCL_TEST_SAMPLE=40")
endfunction()
# The first one: its ranks are one process, which compiles each program once. Processes of MPI, which would all compile the
# same one at the same time, find it then. So it takes two minutes of processor time, on a slow machine four times that.
mcl_ranks_test(ranks_host 1-4 host)
mcl_ranks_test(ranks_device 3 device messages)
mcl_ranks_test(ranks_fuzz 3 device fuzz 1 4)
set_tests_properties(ranks_device ranks_fuzz PROPERTIES DEPENDS ranks_host)
