// Tests of moderncl.hpp: operands, results, handles and failures, through one call of each group.
#include <moderncl/moderncl.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <numeric>
#include <string>

// A user's struct, known to host and device.
MCL_SOURCE(point_source, typedef struct point { float x, y; } point;)
MCL_CPP_TYPE(point, point_source)

namespace
{

int passed, failed;

void expect(bool right, const char *file, int line, const char *what)
{
    if (right) {
        ++passed;
    } else {
        ++failed;
        std::printf("%s:%d:F: %s\n", file, line, what);
    }
}
#define EXPECT(condition) expect(condition, __FILE__, __LINE__, #condition)

template <class Function> mcl_status status_of(Function function, std::string *sentence = nullptr)
{
    try {
        function();
        return MCL_OK;
    } catch (const mcl::error &failure) {
        if (sentence) *sentence = failure.what();
        return failure.status();
    }
}

std::vector<std::int32_t> numbers(std::size_t n, std::uint32_t below)
{
    mcl_twister twister;
    mcl::twister_seed(&twister, 7U);
    std::vector<std::int32_t> all(n);
    for (std::int32_t &x : all) x = static_cast<std::int32_t>(mcl::twister_next(&twister) % below);
    return all;
}

void test_types()
{
    EXPECT(mcl::type_of<float>() == MCL_FLOAT && mcl::type_of<const double>() == MCL_DOUBLE);
    EXPECT(mcl::type_of<signed char>() == MCL_INT8 && mcl::type_of<unsigned char>() == MCL_UINT8);
    EXPECT(mcl::type_of<long long>() == MCL_INT64 && mcl::type_of<std::uint64_t>() == MCL_UINT64);
    EXPECT(mcl::type_of<mcl::half>() == MCL_HALF && mcl::type_of<mcl_float3>() == MCL_FLOAT3);
    EXPECT(mcl::type_of<mcl_int32_at>() == MCL_INT32_AT && mcl::type_of<mcl_uint8_range>() == MCL_UINT8_RANGE);
    EXPECT(std::strcmp(mcl::type_of<point>()->name, "point") == 0 && mcl::type_of<point>()->size == sizeof(point));
    static_assert(std::is_convertible_v<mcl::span<int>, mcl_output>);
    static_assert(!std::is_convertible_v<mcl::span<const int>, mcl_output>);
    static_assert(std::is_convertible_v<mcl::span<const int>, mcl_input>);
    static_assert(std::is_convertible_v<mcl::span<int>, mcl::span<const int>>);
    static_assert(std::is_convertible_v<mcl::array<int>, mcl::span<const int>>);
    static_assert(!std::is_convertible_v<mcl::span<const int>, mcl::span<int>>);
    static_assert(std::is_convertible_v<mcl::slot<int>, mcl_result>);
    static_assert(!std::is_convertible_v<mcl::slot<const int>, mcl_result>);
    static_assert(!std::is_copy_constructible_v<mcl::map> && std::is_copy_constructible_v<mcl::buffer>);
}

void test_folds(mcl_context *context, mcl_queue *queue)
{
    const std::vector<std::int32_t> host = numbers(1000, 100);
    const mcl::array<std::int32_t> data(context, host);
    std::int64_t sum = 0;
    mcl::reduce(queue, data, MCL_ADD, mcl::to_host(&sum));
    EXPECT(sum == std::accumulate(host.begin(), host.end(), std::int64_t{ 0 }));

    mcl_int32_range range{};
    mcl::min_max(queue, data.first(10), mcl::to_host(&range));
    EXPECT(range.least == *std::min_element(host.begin(), host.begin() + 10));
    EXPECT(range.greatest == *std::max_element(host.begin(), host.begin() + 10));

    const mcl::array<std::int32_t> out(context, 1000);
    std::int32_t total = 0;
    mcl::scan(queue, data, out, MCL_ADD, MCL_EXCLUSIVE, mcl::to_host(&total));
    const std::vector<std::int32_t> sums = mcl::read(queue, out);
    std::int32_t before = 0;
    bool same = true;
    for (std::size_t i = 0; i < host.size(); before += host[i++]) same = same && sums[i] == before;
    EXPECT(same && total == before);

    mcl::options options;
    const std::int32_t initial = 5;
    options.initial = &initial;
    options.flags = MCL_DETERMINISTIC;
    mcl::reduce(queue, data, MCL_ADD, mcl::to_host(&sum), options);
    EXPECT(sum == total + 5);
}

void test_operators(mcl_context *context, mcl_queue *queue)
{
    const mcl::array<std::int32_t> data(context, { 3, 1, 4, 1, 5, 9, 2, 6 });
    const mcl::array<std::int32_t> kept(context, 8);
    std::int64_t count = 0;
    mcl::compact(queue, data, kept, mcl::test("x > limit", { mcl::binding_value("limit", 3) }), mcl::to_host(&count));
    EXPECT(mcl::read(queue, kept.first(count)) == (std::vector<std::int32_t>{ 4, 5, 9, 6 }));

    const auto squares = mcl::from_expression<std::int32_t>("v[i] * v[i]", 8, { mcl::binding_buffer("v", data) });
    mcl::op largest = mcl::fold("p > q ? p : q");
    largest.commutative = 1;
    std::int32_t result = 0;
    mcl::reduce(queue, squares, largest, mcl::to_host(&result));
    EXPECT(result == 81);

    // The count stays on the device between two calls.
    const mcl::array<std::uint32_t> slot(context, 1);
    mcl::unique(queue, mcl::from_constant(7, 8), kept, MCL_EQUAL, slot[0]);
    mcl::reduce(queue, mcl::with_count(mcl::from_counting(std::int64_t{ 10 }, 8), slot[0]), MCL_ADD,
                mcl::to_host(&count));
    EXPECT(count == 10);

    const mcl::array<point> points(context, { { 1, 2 }, { 3, 4 } });
    mcl::op together = mcl::fold("together(p, q)");
    together.source = "static inline point together(point p, point q) { p.x += q.x; p.y += q.y; return p; }";
    point middle{};
    mcl::reduce(queue, points, together, mcl::to_host(&middle));
    EXPECT(middle.x == 4 && middle.y == 6);
}

void test_views(mcl_context *context, mcl_queue *queue)
{
    const mcl::array<std::int32_t> data(context, { 1, 3, 6, 10 });
    const mcl::array<std::int32_t> out(context, 4);
    mcl::transform(queue, mcl::from_reversed(data), out);
    EXPECT(mcl::read(queue, out) == (std::vector<std::int32_t>{ 10, 6, 3, 1 }));
    mcl::transform(queue, mcl::from_rotated(data, 1), out);
    EXPECT(mcl::read(queue, out) == (std::vector<std::int32_t>{ 3, 6, 10, 1 }));
    mcl::transform(queue, mcl::from_differences(data), out);
    EXPECT(mcl::read(queue, out) == (std::vector<std::int32_t>{ 1, 2, 3, 4 }));
    mcl::transform(queue, mcl::from_neighbours<std::int32_t>("p[i] + q[i]", data), out.first(3));
    EXPECT(mcl::read(queue, out.first(3)) == (std::vector<std::int32_t>{ 4, 9, 16 }));
    mcl::transform(queue, mcl::from_shuffled(data, 1), out);
    std::vector<std::int32_t> shuffled = mcl::read(queue, out);
    std::sort(shuffled.begin(), shuffled.end());
    EXPECT(shuffled == (std::vector<std::int32_t>{ 1, 3, 6, 10 }));
    mcl::transform(queue, mcl::from_step(2, 3, 4), out);
    EXPECT(mcl::read(queue, out) == (std::vector<std::int32_t>{ 2, 5, 8, 11 }));
    mcl::random(queue, out, 1, 0, -2, 2);
    const std::vector<std::int32_t> random = mcl::read(queue, out);
    EXPECT(std::all_of(random.begin(), random.end(), [](std::int32_t x) { return x >= -2 && x <= 2; }));
}

void test_sorts(mcl_context *context, mcl_queue *queue)
{
    std::vector<std::int32_t> host = numbers(1000, 50);
    const mcl::array<std::int32_t> keys(context, host);
    const mcl::array<std::int32_t> sorted(context, 1000);
    mcl::sort(queue, keys, sorted, MCL_LESS);
    std::sort(host.begin(), host.end());
    EXPECT(mcl::read(queue, sorted) == host);
    mcl::sort(queue, keys, sorted, mcl::order("p > q"));
    std::reverse(host.begin(), host.end());
    EXPECT(mcl::read(queue, sorted) == host);

    const mcl::array<std::int32_t> first(context, { 1, 0, 1, 0 });
    const mcl::array<float> second(context, { 1, 2, 3, 4 });
    const mcl::array<std::int32_t> rows(context, 4);
    mcl::sort_columns_indices(
        queue, mcl::list(mcl_key_column{ first, MCL_LESS }, mcl_key_column{ second, MCL_GREATER }), rows);
    EXPECT(mcl::read(queue, rows) == (std::vector<std::int32_t>{ 3, 1, 2, 0 }));

    mcl::top_k(queue, keys, mcl::amount_of(3), sorted.first(3), MCL_GREATER);
    EXPECT(mcl::read(queue, sorted.first(3)) == std::vector<std::int32_t>(host.begin(), host.begin() + 3));
    mcl::top_k(queue, mcl::span<const std::int32_t>(keys), 2, sorted.first(2), MCL_GREATER);
    EXPECT(mcl::read(queue, sorted.first(2)) == std::vector<std::int32_t>(host.begin(), host.begin() + 2));
    mcl::segmented_sort(queue, keys, mcl::segments_from_rows(2, 500), sorted, MCL_LESS, MCL_STABLE);
    const std::vector<std::int32_t> halves = mcl::read(queue, sorted);
    EXPECT(std::is_sorted(halves.begin(), halves.begin() + 500) && std::is_sorted(halves.begin() + 500, halves.end()));
}

void test_relations(mcl_context *context, mcl_queue *queue)
{
    const mcl::array<std::int32_t> a(context, { 100, 101, 103, 103 });
    const mcl::array<std::int32_t> b(context, { 100, 100, 102, 103 });
    const mcl::array<std::int32_t> out_a(context, 16);
    const mcl::array<std::int32_t> out_b(context, 16);
    std::int64_t count = 0;
    mcl::join(queue, MCL_JOIN_OUTER, a, b, out_a, out_b, MCL_LESS, mcl::to_host(&count));
    EXPECT(mcl::read(queue, out_a.first(count)) == (std::vector<std::int32_t>{ 0, 0, 1, 2, 3, -1 }));
    EXPECT(mcl::read(queue, out_b.first(count)) == (std::vector<std::int32_t>{ 0, 1, -1, 3, 3, 2 }));

    const mcl::array<std::int32_t> keys(context, { 2, 1, 2, 3, 1, 2 });
    const mcl::array<float> values(context, { 1, 2, 3, 4, 5, 6 });
    const mcl::array<std::int32_t> groups(context, 6);
    const mcl::array<float> sums(context, 6);
    const mcl::array<float> least(context, 6);
    mcl::group_by(queue, keys, groups,
                  mcl::list(mcl_aggregate{ values, MCL_ADD, sums }, mcl_aggregate{ values, MCL_MIN, least }),
                  mcl::to_host(&count));
    EXPECT(mcl::read(queue, groups.first(count)) == (std::vector<std::int32_t>{ 1, 2, 3 }));
    EXPECT(mcl::read(queue, sums.first(count)) == (std::vector<float>{ 7, 10, 4 }));
    EXPECT(mcl::read(queue, least.first(count)) == (std::vector<float>{ 2, 1, 4 }));
    mcl::distinct(queue, keys, mcl::no_output(), mcl::to_host(&count));
    EXPECT(count == 3);

    const mcl::array<std::int32_t> objects(context, 5);
    mcl::load_balance_search(queue, 5, mcl::array<std::int32_t>(context, { 0, 2, 2 }), objects, mcl::no_output());
    EXPECT(mcl::read(queue, objects) == (std::vector<std::int32_t>{ 0, 0, 2, 2, 2 }));

    const mcl_input weights = values;
    const mcl::array<float> bins(context, 2);
    mcl::histogram(queue, keys, mcl::index("x - 1"), &weights, bins);
    EXPECT(mcl::read(queue, bins) == (std::vector<float>{ 7, 10 }));
}

void test_map(mcl_context *context, mcl_queue *queue)
{
    mcl_map_config config{};
    config.key = mcl::type_of<std::int32_t>();
    config.value = mcl::type_of<float>();
    const mcl::map map = mcl::map_create(context, &config);
    const mcl::array<std::int32_t> keys(context, { 5, 6, 7 });
    const mcl::array<float> values(context, { 0.5F, 0.25F, 2 });
    mcl::map_insert(queue, map, keys, values);
    mcl::map_insert_or_apply(queue, map, keys.first(1), values, MCL_ADD);

    const mcl::array<std::int32_t> wanted(context, { 7, 8, 5 });
    const mcl::array<float> found(context, 3);
    const float missing = -1;
    mcl::map_find(queue, map, wanted, found, &missing, mcl::no_output());
    EXPECT(mcl::read(queue, found) == (std::vector<float>{ 2, -1, 1 }));
    std::int64_t entries = 0;
    mcl::map_size(queue, map, mcl::to_host(&entries));
    EXPECT(entries == 3 && mcl::map_capacity(map) >= 3);
}

void test_moved_arrays(mcl_context *context, mcl_queue *queue)
{
    mcl::array<int> first(context, { 3, 1, 2 });
    mcl::array<int> second = std::move(first);
    EXPECT(!first.buffer && first.count == 0 && !first.owned && second.count == 3);
    first = second;
    mcl::sort(queue, first, first, MCL_LESS);
    EXPECT(mcl::read(queue, second) == (std::vector<int>{ 1, 2, 3 })); // both copies share the buffer
    second = std::move(first);
    EXPECT(!first.buffer && first.count == 0 && mcl::read(queue, second).size() == 3);
    mcl::array<int> &itself = second;
    second = std::move(itself);
    EXPECT(second.owned && second.buffer == second.owned.get() && second.count == 3);
}

void test_handles(mcl_context *context, mcl_queue *queue)
{
    mcl::buffer one = mcl::buffer_create(context, 64);
    mcl::buffer two = one;
    EXPECT(one.get() == two.get() && mcl::buffer_bytes(two) == 64);
    one.reset();
    EXPECT(!one && mcl::buffer_bytes(two) == 64);
    one = std::move(two);
    EXPECT(one && !two);
    const mcl::buffer &itself = one;
    one = itself; // the object keeps its reference
    EXPECT(mcl::buffer_bytes(one) == 64);

    const mcl_device_info info = mcl::context_info(context);
    EXPECT(info.name[0] != '\0' && info.compute_units > 0);
    EXPECT(mcl::context_memory(context).bytes_in_use >= 64);

    // A replay reads what the buffers hold at its time.
    mcl::array<std::int32_t> data(context, { 1, 2, 3 });
    mcl::array<std::int32_t> sum(context, 1);
    mcl::record_begin(queue);
    mcl::reduce(queue, data, MCL_ADD, sum[0]);
    const mcl::recording recording = mcl::record_end(queue);
    mcl::write(queue, data, { 4, 5, 6 });
    mcl::replay(queue, recording);
    EXPECT(mcl::read(queue, sum).front() == 15);

    mcl::event done;
    mcl::options options;
    options.size = sizeof options;
    options.done = done.put();
    mcl::reduce(queue, data, MCL_MAX, sum[0], options);
    mcl::event_wait(done);
    const mcl::event after = mcl::event_record(queue);
    mcl::queue_wait(queue, mcl::list(after.get(), done.get()));
    EXPECT(mcl::read(queue, sum).front() == 6);

    const mcl::queue preparing = mcl::queue_create_preparing(context);
    mcl::sort(preparing, data, data, MCL_LESS);
    EXPECT(mcl::read(queue, data) == (std::vector<std::int32_t>{ 4, 5, 6 }));
    EXPECT(mcl::queue_context(preparing) == context);
}

void test_failures(mcl_context *context, mcl_queue *queue)
{
    std::string sentence;
    const mcl::array<std::int32_t> data(context, { 1, 2, 3 });
    const mcl::array<float> other(context, 3);
    EXPECT(status_of([&] { mcl::sort(queue, data, other, MCL_LESS); }, &sentence) == MCL_ERROR_TYPE);
    EXPECT(sentence.find("mcl_sort") == 0);
    std::int32_t sum = 0;
    EXPECT(status_of([&] { mcl::reduce(queue, data, MCL_LESS, mcl::to_host(&sum)); }) == MCL_ERROR_ARGUMENT);
    EXPECT(status_of([&] { mcl::reduce(queue, data, mcl::fold("p +* q"), mcl::to_host(&sum)); }) == MCL_ERROR_BUILD);
    EXPECT(status_of([] { mcl::context_create("opencl:no such platform"); }) == MCL_ERROR_ARGUMENT);
    EXPECT(status_of([&] { mcl::write(queue, data, { 1, 2, 3, 4 }); }) == MCL_ERROR_ARGUMENT);

    // The count is stored although the output is too short.
    const mcl::array<std::int32_t> rows(context, 1);
    std::int64_t count = 0;
    EXPECT(status_of([&] { mcl::compact(queue, data, rows, mcl::test("1"), mcl::to_host(&count)); }) ==
           MCL_ERROR_CAPACITY);
    EXPECT(count == 3);
}

// Checks that mcl::attempt returns the failures that mcl::call throws.
void test_outcomes(mcl_context *context, mcl_queue *queue)
{
    const mcl::array<std::int32_t> data(context, { 1, 2, 3 });
    const mcl::array<float> other(context, 3);
    std::int32_t sum = 0;
    EXPECT(mcl::attempt(mcl_reduce, queue, data, MCL_ADD, mcl::to_host(&sum)) && sum == 6);

    const auto refused = mcl::attempt(mcl_sort, queue, data, other, MCL_LESS);
    EXPECT(!refused && refused.status() == MCL_ERROR_TYPE);
    EXPECT(std::strstr(refused.what(), "mcl_sort") == refused.what());
    EXPECT(status_of([&] { refused.value(); }) == MCL_ERROR_TYPE);

    auto made = mcl::attempt(mcl_queue_create, context, 0U);
    EXPECT(made && mcl::queue_context(made.value()) == context);
    const mcl::queue taken = std::move(made).value();
    EXPECT(taken.get() != nullptr);
    EXPECT(status_of([] { mcl::attempt(mcl_context_create, "opencl:no such platform").value(); }) ==
           MCL_ERROR_ARGUMENT);
}

} // namespace

int main()
{
    try {
        const mcl::context context = mcl::context_create(std::getenv("MCL_TEST_DEVICE"));
        const mcl::queue queue = mcl::queue_create(context, 0);
        test_types();
        test_folds(context, queue);
        test_operators(context, queue);
        test_views(context, queue);
        test_sorts(context, queue);
        test_relations(context, queue);
        test_map(context, queue);
        test_moved_arrays(context, queue);
        test_handles(context, queue);
        test_failures(context, queue);
        test_outcomes(context, queue);
    } catch (const mcl::error &failure) {
        std::printf("test_cpp.cpp: error: %s: %s\n", mcl::status_name(failure.status()), failure.what());
        ++failed;
    }
    std::printf("cpp: %d passed, %d failed\n", passed, failed);
    return failed != 0;
}
