// main.cpp: runs Bullet's primitives and a world twice, with Bullet's own primitives and with moderncl's, compares what
// comes out, and prints how long it takes. Exit status 1: a check failed.
#include "children.hpp"
#include "world.hpp"
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <getopt.h>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace
{
int failures = 0;

void fail(const std::string &sentence)
{
    std::printf("FAILED: %s\n", sentence.c_str());
    ++failures;
}

void report_failures(const char *who, const Results &results)
{
    for (const auto &[name, array] : results.arrays())
        if (array.kind == Kind::failure) fail(std::string(who) + ": " + name);
}

// Says how two arrays differ: "" or a sentence.
using Comparison = std::function<std::string(const Array &, const Array &)>;

// How each array of one run differs from that of another, by name; those that are the same are left out.
std::map<std::string, std::string> differences(const Results &one, const Results &other, const Comparison &differ)
{
    std::map<std::string, std::string> found;
    for (const auto &[name, array] : one.arrays()) {
        if (array.kind != Kind::integers && array.kind != Kind::floats) continue;
        const auto twin = other.arrays().find(name);
        const std::string text = twin == other.arrays().end() ? "not there" : differ(array, twin->second);
        if (!text.empty()) found[name] = text;
    }
    return found;
}

void fail_each(const std::map<std::string, std::string> &found)
{
    for (const auto &[name, text] : found) fail(name + ": " + text);
}

// Both runs must have the same arrays. Prints what was compared. True: they have.
bool compare(const char *what, const Results &own, const Results &served)
{
    float farthest = 0;
    int compared = 0;
    const auto found = differences(own, served, [&](const Array &one, const Array &other) {
        ++compared;
        return difference(one, other, farthest);
    });
    if (compared == 0) fail(std::string(what) + ": nothing to compare");
    std::printf("%s: %d arrays compared, %zu differ; floats by %g at most\n", what, compared, found.size(),
                static_cast<double>(farthest));
    return found.empty();
}

// A world that no run repeats: its pairs and contacts, summed over all steps, and its heights.
void compare_sums(const Results &own, const Results &served)
{
    const double fraction = 0.02;
    std::puts("Bullet's own runs differ from one another on this device; sums are compared instead");
    for (const char *name : SUMMED_NAMES) {
        const auto one = own.arrays().find(name), other = served.arrays().find(name);
        if (one == own.arrays().end() || other == served.arrays().end())
            fail(std::string(name) + ": not there");
        else if (const std::string text = sum_difference(one->second, other->second, fraction); !text.empty())
            fail(std::string(name) + ": " + text);
    }
}

// moderncl served the second run, and that run alone.
void check_calls(const Results &own, const Results &served)
{
    if (own.calls() != 0) fail("moderncl served the run of Bullet's own primitives");
    if (served.calls() == 0) fail("moderncl served no call");
    for (const auto &[name, array] : served.arrays())
        if (array.kind == Kind::calls)
            std::printf("  %s: %llu calls served\n", name.c_str(), static_cast<unsigned long long>(array.words[0]));
}

// Where the runs differ, a second one of Bullet's own shows whether any two are the same.
void check(const Options &options, Task task, const char *what)
{
    const Results own = run_child(options, task, false);
    const Results served = run_child(options, task, true);
    float farthest = 0;
    const Comparison differ = [&](const Array &one, const Array &other) { return difference(one, other, farthest); };
    report_failures("Bullet's own", own);
    report_failures("moderncl", served);
    if (!compare(what, own, served)) {
        if (task == Task::world && !differences(own, run_child(options, task, false), differ).empty())
            compare_sums(own, served);
        else
            fail_each(differences(own, served, differ));
    }
    check_calls(own, served);
}

// Runs take turns, and each row has the medians of all: other programs may use the processor meanwhile.
void time(const Options &options)
{
    enum { ROUNDS = 5 };
    std::map<std::string, std::vector<double>> own, served;
    for (int round = 0; round < ROUNDS; ++round)
        for (const Task task : { Task::time, Task::world })
            for (const bool preloaded : { false, true }) {
                const Results results = run_child(options, task, preloaded);
                for (const auto &[name, array] : results.arrays())
                    if (array.kind == Kind::times)
                        (preloaded ? served : own)[name].push_back(results.median_milliseconds(name));
            }
    std::printf("\n%-24s %14s %14s %8s\n", "", "Bullet's, ms", "moderncl, ms", "ratio");
    for (const auto &[name, values] : own) {
        const double before = median(values), after = median(served[name]);
        std::printf("%-24s %14.3f %14.3f %8.2f\n", name.c_str(), before, after, after / before);
    }
}

const char USAGE[] =
    "usage: bullet_client [--device NAME] [--bodies N] [--steps N] [--check] [--folder FOLDER] [--library FILE]\n"
    "  --device   as mcl_context_create takes it, of OpenCL (opencl)\n"
    "  --bodies   boxes of the world (1000)\n"
    "  --steps    of the world (60)\n"
    "  --check    checks alone, without times\n"
    "  --folder   for logs, results and Bullet's programs (the current one)\n"
    "  --library  what is preloaded (libmoderncl_bullet.so beside this program)\n";

int positive(const char *text)
{
    char *end;
    const long value = std::strtol(text, &end, 10);
    if (*end || value < 1 || value > 1000000)
        throw std::runtime_error(std::string(text) + ": 1 to 1000000 is expected");
    return static_cast<int>(value);
}

std::string library_beside_program()
{
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    const std::string program(path, length > 0 ? static_cast<size_t>(length) : 0);
    return program.substr(0, program.rfind('/') + 1) + "libmoderncl_bullet.so";
}

struct Command {
    Options options;
    int task = -1; // of a process that this program started
    std::string out;
};

// False: help was asked for, or an option is not known.
bool parse(int count, char **arguments, Command &command)
{
    static const option long_options[] = {
        { "device", required_argument, nullptr, 'd' }, { "bodies", required_argument, nullptr, 'b' },
        { "steps", required_argument, nullptr, 's' },  { "check", no_argument, nullptr, 'c' },
        { "folder", required_argument, nullptr, 'f' }, { "library", required_argument, nullptr, 'l' },
        { "task", required_argument, nullptr, 't' },   { "out", required_argument, nullptr, 'o' },
        { "help", no_argument, nullptr, 'h' },         { nullptr, 0, nullptr, 0 }
    };
    Options &options = command.options;
    for (int letter; (letter = getopt_long(count, arguments, "", long_options, nullptr)) != -1;) {
        if (letter == 'd')
            options.device = optarg;
        else if (letter == 'b')
            options.bodies = positive(optarg);
        else if (letter == 's')
            options.steps = positive(optarg);
        else if (letter == 'c')
            options.check = true;
        else if (letter == 'f')
            options.folder = optarg;
        else if (letter == 'l')
            options.library = optarg;
        else if (letter == 't')
            command.task = std::atoi(optarg);
        else if (letter == 'o')
            command.out = optarg;
        else
            return false;
    }
    return optind == count;
}

int run(const Options &options)
{
    if (access(options.library.c_str(), R_OK)) throw std::runtime_error(options.library + ": " + std::strerror(errno));
    mkdir(options.folder.c_str(), 0777);

    std::printf("%d bodies, %d steps\n", options.bodies, options.steps);
    check(options, Task::check, "primitives");
    check(options, Task::world, "world");
    if (failures == 0 && !options.check) time(options);
    std::printf("%d failures\n", failures);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
} // namespace

int main(int count, char **arguments)
{
    try {
        Command command;
        command.options.library = library_beside_program();
        if (!parse(count, arguments, command)) {
            std::fputs(USAGE, stderr);
            return 2;
        }
        if (command.task < 0) return run(command.options);
        return run_task(command.options, static_cast<Task>(command.task), command.out);
    } catch (const std::exception &error) {
        std::fprintf(stderr, "bullet_client: %s\n", error.what());
        return EXIT_FAILURE;
    }
}
