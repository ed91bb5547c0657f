/* probe.cl: litmus tests of abilities that a device may have without reporting them. Needs: nothing. */

#if MCL_WORD_PATH
/* Tests whether words pass from group to group. The group with ticket t waits for word t - 1 and publishes its sum plus
 * t as word t. In the end the upper half of word t must be 1 (2: the wait was given up), and the lower half
 * 0 + 1 + ... + t. The ticket counter comes after the words. */
MCL_KERNEL(TILE_THREADS) probe_words(__global ulong *words, const int groups)
{
    MCL_SHARED(uint, ticket);
    if (get_local_id(0) == 0) {
        *ticket = atomic_increment_global((__global uint *)(words + groups));
        const uint mine = *ticket;
        ulong before = 1;
        before <<= 32;
        if (mine > 0) {
            before = atomic_poll_global_64(words + mine - 1);
            for (int polls = 0; before == 0 && polls < MCL_POLL_LIMIT; ++polls)
                before = atomic_poll_global_64(words + mine - 1);
        }
        ulong status = before ? 1 : 2;
        uint sum = (uint)before;
        if (!before) sum = (uint)((ulong)mine * (mine - 1) / 2);
        atomic_publish_global_64(words + mine, status << 32 | (sum + mine));
    }
}

/* Tests whether atomics of 64 bits are indivisible, and whether the last group sees the words that other groups
 * published before they counted themselves as done. No group waits for a group that is not done. step has 1 in each
 * half.
 *   words[0]    must end with the number of groups in the upper half, and the sum of their indices in the lower
 *   words[1]    must end with the number of groups that did not give up, in each half
 *   words[2]    counts the groups that gave up
 *   words[3]    counts the groups that are done
 *   words[4]    becomes 1 where the last group read the right value of each word after this one, else 2 */
MCL_KERNEL(TILE_THREADS) probe_atomics(__global ulong *words, const int groups)
{
    if (get_local_id(0) == 0) {
        const int t = (int)get_group_id(0);
        ulong one = 1;
        const ulong step = one << 32 | one;
        (void)atomic_add_global_64(words, (one << 32) + (ulong)t);
        ulong seen = atomic_load_global_64(words + 1);
        int is_in = 0;
        for (int tries = 0; !is_in && tries < MCL_POLL_LIMIT; ++tries) {
            const ulong found = atomic_compare_exchange_global_64(words + 1, seen, seen + step);
            is_in = found == seen;
            seen = found;
        }
        if (!is_in) (void)atomic_add_global_64(words + 2, one);
        atomic_publish_global_64(words + 5 + t, step * (ulong)(t + 1));
        if (atomic_increment_global((__global uint *)(words + 3)) == (uint)(groups - 1)) {
            int good = 1;
            for (int k = 0; k < groups && good; ++k) {
                ulong word = atomic_poll_global_64(words + 5 + k);
                for (int polls = 0; word == 0 && polls < MCL_POLL_LIMIT; ++polls)
                    word = atomic_poll_global_64(words + 5 + k);
                good = word == step * (ulong)(k + 1);
            }
            atomic_store_global_64(words + 4, good ? one : one + one);
        }
    }
}
#endif

#if MCL_SUB_GROUP_PATH
static inline uint probe_value(const int k)
{
    return (uint)k * 2654435761u + 12345u;
}

/* Tests whether shuffles and ballots give the right values. passed[k] becomes 1 where work-item k saw no error. */
MCL_KERNEL(TILE_THREADS) probe_sub_groups(__global int *passed)
{
    const int k = (int)get_local_id(0);
    const int lane = sub_group_lane();
    /* not k - lane, which Intel's compiler 2026.2 computes wrongly */
    const int first = k / MCL_SUB_GROUP_SIZE * MCL_SUB_GROUP_SIZE;
    int good = lane == k % MCL_SUB_GROUP_SIZE;
    for (int delta = 1; delta < MCL_SUB_GROUP_SIZE; delta *= 2) {
        const uint up = shuffle_up(probe_value(k), delta);
        const uint down = shuffle_down(probe_value(k), delta);
        const uint there = shuffle(probe_value(k), lane ^ delta);
        const uint one = shuffle(probe_value(k), MCL_SUB_GROUP_SIZE - delta);
        if (lane >= delta && up != probe_value(k - delta)) good = 0;
        if (lane + delta < MCL_SUB_GROUP_SIZE && down != probe_value(k + delta)) good = 0;
        if (there != probe_value(first + (lane ^ delta))) good = 0;
        if (one != probe_value(first + MCL_SUB_GROUP_SIZE - delta)) good = 0;
    }
    uint expected = 0;
    for (int other = 0; other < 32 && other < MCL_SUB_GROUP_SIZE; other += 3) expected |= 1u << other;
    if (sub_group_vote(lane % 3 == 0) != expected) good = 0;
    passed[k] = good;
}
#endif
