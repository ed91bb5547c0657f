/* tone.cl: from sums of light to a picture. Needs: shading.cl. */

/* After the curve of J. Hable's and K. Narkowicz's fits (2016): dark parts stay, bright ones bend towards 1. */
static inline float bent(const float x)
{
    const float curved = x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f);
    return fminf(fmaxf(curved, 0.0f), 1.0f);
}

/* A byte of sRGB. */
static inline uint32_t byte_of(const float x)
{
    const float coded = x < 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1.0f / 2.4f) - 0.055f;
    return (uint32_t)(coded * 255.0f + 0.5f);
}

/* Light of a pixel, at most as bright as the second brightest of its eight neighbours. A path that meets a lamp by
 * rare chance would leave a speck otherwise. A pixel at the edge is its own neighbour. */
static inline vec without_speck(__global const vec *sums, const int width, const int height, const int k)
{
    const vec own = sums[k];
    const float size = vec_most(own);
    const int column = k % width, row = k / width;
    float most = 0.0f, second = 0.0f;
    for (int j = 0; j < 9; ++j) {
        const int x = column + j % 3 - 1, y = row + j / 3 - 1;
        const int is_inside = x >= 0 && x < width && y >= 0 && y < height;
        const float other = j == 4 ? 0.0f : is_inside ? vec_most(sums[y * width + x]) : size;
        second = fmaxf(second, fminf(most, other));
        most = fmaxf(most, other);
    }
    return size > second ? vec_scale(own, second / fmaxf(size, 1e-12f)) : own;
}

/* A pixel of four bytes from each sum of samples. log_sum: the sum of the logarithms of all pixels' light, by which the
 * middle of the picture gets a middle grey. */
KERNEL develop(const settings set, const int32_t samples, __global const float *log_sum, __global const vec *sums,
               __global uint32_t *picture)
{
    const int k = ITEM, pixels = set.width * set.height;
    if (k >= pixels) return;
    const float scale = set.exposure / ((float)samples * fmaxf(expf(log_sum[0] / (float)pixels), 1e-3f));
    const vec seen = vec_scale(without_speck(sums, set.width, set.height, k), scale);
    picture[k] = byte_of(bent(seen.x)) | byte_of(bent(seen.y)) << 8 | byte_of(bent(seen.z)) << 16 | 0xff000000u;
}
