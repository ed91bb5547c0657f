// Runs each call of Thrust that docs/coming_from.md names on the host, and the library's call of the same line on a
// device. Usage: test_thrust PAGE, which is that page. Both must give equal results and leave the same elements
// untouched. Calls that differ, as the page says, are compared with known results of both. The library's calls beside
// other libraries run too: Thrust makes their results in several calls.
#include "composed_rows.hpp"
#include "difference_rows.hpp"
#include "fold_rows.hpp"
#include "map_rows.hpp"
#include "order_rows.hpp"

#include <thrust/version.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>

extern "C" {
#include "support/devices.h"
}

namespace
{

// Names of the page that have no row. Names of std and Boost.Compute alone are no calls of Thrust.
const std::string without_row[] = { "iota",
                                    "accumulate",
                                    "nth_element",
                                    "partial_sort",
                                    "rotate_copy",
                                    "_by_key",                 // ending of other names on its line, which have rows
                                    "default_random_engine" }; // its random numbers differ, as the page says

// Calls of the library on the page for which Thrust has no results: other random numbers, cuts for kernels, kernels,
// and numbers on the device.
const std::string without_thrust[] = { "mcl_random",        "mcl_cut_merge_path", "mcl_cut_balanced_path",
                                       "mcl_kernel_launch", "mcl_amount_in_slot", "mcl_with_count" };

int passed, failed;

void expect(bool right, const std::string &what)
{
    ++(right ? passed : failed);
    if (!right) std::printf("test_thrust:F: %s\n", what.c_str());
}

// The host sort of Thrust 3.0, which CUDA 13.0 has, puts negative numbers last. Thrust 3.6 sorts them right.
constexpr std::int32_t least = THRUST_VERSION < 300600 ? 0 : -4;

problem make_problem(std::size_t n, unsigned seed)
{
    std::mt19937 engine(seed);
    const auto below = [&engine](std::uint32_t end) { return static_cast<std::int32_t>(engine() % end); };
    problem p;
    for (std::size_t k = 0; k < n; ++k) {
        p.x.push_back(below(12) + least);
        p.y.push_back(below(100) - 50);
        p.flags.push_back(below(2));
        p.places.push_back(static_cast<std::int32_t>(k));
        p.runs.push_back(k > 0 && below(5) > 0 ? p.runs.back() : below(4));
        p.a.push_back(below(static_cast<std::uint32_t>(n) / 2 + 1));
        if (k % 3 == 0) p.b.push_back(below(static_cast<std::uint32_t>(n) / 2 + 1));
        if (k % 3 == 0) p.places_b.push_back(static_cast<std::int32_t>(1000000 + k));
    }
    p.indices = p.places;
    std::shuffle(p.indices.begin(), p.indices.end(), engine);
    std::sort(p.a.begin(), p.a.end());
    std::sort(p.b.begin(), p.b.end());
    return p;
}

template <std::size_t count> void add(std::vector<row> &to, const row (&rows)[count])
{
    to.insert(to.end(), rows, rows + count);
}

std::string first_difference_of(const found &theirs, const found &ours)
{
    if (theirs.size() != ours.size()) return "not as many results";
    for (std::size_t r = 0; r < theirs.size(); ++r) {
        if (theirs[r].size() != ours[r].size()) return "result " + std::to_string(r) + " is not as long";
        for (std::size_t k = 0; k < theirs[r].size(); ++k) {
            if (theirs[r][k] == ours[r][k]) continue;
            return "result " + std::to_string(r) + ", element " + std::to_string(k) + ": " +
                   std::to_string(theirs[r][k]) + " and " + std::to_string(ours[r][k]);
        }
    }
    return "";
}

void run(const row &each, const problem &p, const device &d)
{
    const std::string name = std::string(each.theirs) + " and " + each.ours + " of " + std::to_string(p.x.size());
    try {
        const std::string difference = first_difference_of(each.run_theirs(p), each.run_ours(p, d));
        expect(difference.empty(), name + ", Thrust against here: " + difference);
    } catch (const mcl::error &failure) {
        expect(false, name + ": " + failure.what());
    }
}

void run_difference(const difference &each, const device &d)
{
    const std::string what = each.what;
    try {
        const std::string theirs = first_difference_of({ each.run_theirs() }, { each.theirs });
        const std::string ours = first_difference_of({ each.ours }, { each.run_ours(d) });
        expect(theirs.empty(), what + ", Thrust against what is known of it: " + theirs);
        expect(ours.empty(), what + ", what is promised against what is here: " + ours);
    } catch (const mcl::error &failure) {
        expect(false, what + ": " + failure.what());
    }
}

// Returns the names in backticks of a cell of a table. Names of other libraries have a prefix, and are left out.
std::vector<std::string> names_in(const std::string &cell)
{
    std::vector<std::string> names;
    for (std::size_t at = cell.find('`'); at != std::string::npos; at = cell.find('`', at + 1)) {
        const std::size_t end = cell.find('`', at + 1);
        std::string name = cell.substr(at + 1, end - at - 1);
        at = end;
        if (name.rfind("thrust::", 0) == 0) name.erase(0, 8);
        if (name.find("::") == std::string::npos) names.push_back(name);
    }
    return names;
}

template <class List> bool has(const List &list, const std::string &name)
{
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
}

// Checks that every call of Thrust in a line has a row, and marks the rows that the line names.
void check_line(const std::string &line, const std::vector<row> &rows, std::vector<bool> &is_named)
{
    const std::size_t middle = line.find(" | ");
    for (const std::string &name : names_in(line.substr(0, middle))) {
        bool has_row = has(without_row, name);
        for (std::size_t k = 0; k < rows.size(); ++k) {
            const std::string theirs = rows[k].theirs;
            const bool is_its = theirs == name || theirs == name + "_by_key";
            has_row = has_row || theirs == name;
            if (is_its && line.find(rows[k].ours, middle) != std::string::npos) is_named[k] = true;
        }
        expect(has_row, "no row compares " + name + ", which the page names");
    }
}

// Checks that every call of the library in a line has a row, or one with values.
void check_calls(const std::string &line, const std::vector<row> &rows)
{
    for (const std::string &name : names_in(line.substr(line.find(" | ")))) {
        const bool has_row = std::any_of(rows.begin(), rows.end(), [&](const row &each) {
            const std::string ours = each.ours;
            return ours == name || ours + "_pairs" == name || ours == name + "_pairs";
        });
        expect(name.rfind("mcl_", 0) != 0 || has_row || has(without_thrust, name),
               "no row compares " + name + ", which the page names");
    }
}

// Checks the page's lines from the iterators on. Each row of Thrust needs a line with both names. Each other row needs
// a line with the library's name.
void check_page(const char *path, const std::vector<row> &rows, const std::vector<row> &composed)
{
    std::ifstream page(path);
    expect(page.is_open(), std::string(path) + " cannot be read");
    std::vector<row> all = rows;
    all.insert(all.end(), composed.begin(), composed.end());
    std::vector<bool> is_named(rows.size());
    bool is_thrust = false, is_call = false;
    std::string text;
    for (std::string line; std::getline(page, line); text += line) {
        if (line.rfind("##", 0) == 0) is_thrust = line == "## Iterators" || line.rfind("## Thrust", 0) == 0;
        is_call = is_call || is_thrust;
        if (line.rfind("| `", 0) != 0 || line.find(" | ") == std::string::npos) continue;
        if (is_thrust) check_line(line, rows, is_named);
        if (is_call) check_calls(line, all);
    }
    for (std::size_t k = 0; k < rows.size(); ++k)
        expect(is_named[k], std::string("the page has no line with ") + rows[k].theirs + " and " + rows[k].ours);
    for (const row &each : composed)
        expect(text.find(std::string("`") + each.ours) != std::string::npos,
               std::string("the page does not name ") + each.ours);
}

void run_rows(const std::vector<row> &rows, const device &d)
{
    const int row_count = static_cast<int>(rows.size());
    static constexpr std::size_t sizes[] = { 1, 2, 100, 5000 };
    for (const std::size_t n : sizes) {
        const problem p = make_problem(n, static_cast<unsigned>(n));
        for (int k = 0; k < row_count; ++k) {
            if (test_sample_takes(k, row_count)) run(rows[static_cast<std::size_t>(k)], p, d);
        }
    }
    const int difference_count = static_cast<int>(std::size(differences));
    for (int k = 0; k < difference_count; ++k) {
        if (test_sample_takes(k, difference_count)) run_difference(differences[k], d);
    }
}

} // namespace

int main(int argument_count, char **arguments)
{
    if (argument_count != 2) {
        std::fprintf(stderr, "test_thrust: usage: test_thrust PAGE\n");
        return 2;
    }
    std::vector<row> rows;
    add(rows, map_rows);
    add(rows, fold_rows);
    add(rows, order_rows);
    std::vector<row> composed;
    add(composed, composed_rows);
    check_page(arguments[1], rows, composed);
    rows.insert(rows.end(), composed.begin(), composed.end());
    try {
        device d;
        d.context = mcl::context_create(std::getenv("MCL_TEST_DEVICE"));
        d.queue = mcl::queue_create(d.context, 0);
        run_rows(rows, d);
    } catch (const mcl::error &failure) {
        expect(false, failure.what());
    }
    std::printf("thrust: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
