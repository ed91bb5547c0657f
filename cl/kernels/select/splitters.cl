/* splitters.cl: takes samples, or chooses splitters. Each is one pass, with a work-item for each sample or splitter:
 *   splitters_sample   SAMPLES: input in, output out, and positions, which may not be wanted
 *   splitters_choose   inputs samples and shares, output out; input positions and output out_positions may be absent
 * Needs: index_type PARTITION_THREADS; the operands of the pass. A program has one of the kernels.
 *
 * Bounds: a sample's index in its stretch of stride elements is below the stretch's length. A splitter's index is below
 * the number of samples. */
#if SAMPLES
/* Returns a number that looks random: a hash of a stretch's first position. */
static inline uint64_t hash_of(const uint64_t position)
{
    const uint64_t h = (position + 1) * (uint64_t)0x9E3779B97F4A7C15;
    const uint64_t mixed = (h ^ (h >> 32)) * (uint64_t)0xD6E8FEB86659FD93;
    return mixed ^ (mixed >> 32);
}

MCL_KERNEL(PARTITION_THREADS) splitters_sample(PARAMS_splitters_sample)
{
    const input_in in = MAKE_in;
    const output_out out = MAKE_out;
    const output_positions at = MAKE_positions;
    const int64_t sample = (int64_t)get_global_id(0), count = (int64_t)in.count;
    if (sample >= (count + stride - 1) / stride) return;
    const int64_t begin = sample * stride, length = count - begin < stride ? count - begin : stride;
    const int64_t index = begin + (int64_t)(hash_of((uint64_t)(first + begin)) % (uint64_t)length);
    store_out(out, (index_type)sample, load_in(in, (index_type)index));
    store_positions(at, (index_type)sample, (positions_type)(first + index));
}
#else
static inline uint64_t share_of(const input_shares shares, const index_type part)
{
    const int64_t share = (int64_t)load_shares(shares, part), most = (int64_t)1 << 48;
    return share < 0 ? 0 : (uint64_t)(share < most ? share : most);
}

MCL_KERNEL(PARTITION_THREADS) splitters_choose(PARAMS_splitters_choose)
{
    const input_samples samples = MAKE_samples;
    const input_positions positions = MAKE_positions;
    const input_shares shares = MAKE_shares;
    const output_out out = MAKE_out;
    const output_out_positions out_positions = MAKE_out_positions;
    const index_type splitter = (index_type)get_global_id(0);
    const uint64_t count = (uint64_t)samples.count;
    uint64_t before = 0, total = 0;
    if (splitter >= shares.count - 1) return;
    for (index_type part = 0; part < shares.count; ++part) {
        total += share_of(shares, part);
        if (part == splitter) before = total;
    }
    /* keeps 31 bits of before and of total, so that no product has more than 62 bits */
    for (; total >> 31; total >>= 1) before >>= 1;
    if (total == 0 || count == 0) return;
    const uint64_t index = count / total * before + count % total * before / total;
    const index_type chosen = (index_type)(index < count ? index : count - 1);
    store_out(out, splitter, load_samples(samples, chosen));
#if HAS_positions
    store_out_positions(out_positions, splitter, load_positions(positions, chosen));
#endif
    (void)positions;
    (void)out_positions;
}
#endif
