#define _GNU_SOURCE
#include "CCurlCoding.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>

// The members of `z_stream`, which are the same since zlib 1.0.
struct z_state {
    const uint8_t *next_in;
    unsigned int avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned int avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *allocate;
    void *release;
    void *opaque;
    int data_type;
    unsigned long adler;
    unsigned long reserved;
};

struct zstd_input {
    const void *bytes;
    size_t count;
    size_t used;
};

struct zstd_output {
    void *bytes;
    size_t count;
    size_t used;
};

enum {
    z_ok = 0,
    z_stream_end = 1,
    z_buffer_error = -5,
    z_no_flush = 0,
    z_finish = 4,
    z_deflated = 8,
    z_level = 6,
    z_memory = 8,
    z_window = 15,
    z_gzip_header = 16,
    z_either_header = 32,
    brotli_failed = 0,
    brotli_done = 1,
    zstd_window_option = 100,
    // A window of 8 MiB, the largest that a recipient must support (RFC 9659 §3). A sender could demand 128 MiB.
    zstd_window = 23
};

static struct {
    int (*init)(struct z_state *, int, const char *, int);
    int (*inflate)(struct z_state *, int);
    int (*reset)(struct z_state *);
    int (*end)(struct z_state *);
} zlib;

static struct {
    int (*init)(struct z_state *, int, int, int, int, int, const char *, int);
    int (*deflate)(struct z_state *, int);
    int (*end)(struct z_state *);
} deflater;

static struct {
    void *(*make)(void *, void *, void *);
    int (*decode)(void *, size_t *, const uint8_t **, size_t *, uint8_t **, size_t *);
    void (*release)(void *);
} brotli;

static struct {
    void *(*make)(void);
    size_t (*set)(void *, int, int);
    size_t (*decode)(void *, struct zstd_output *, struct zstd_input *);
    unsigned int (*is_error)(size_t);
    size_t (*release)(void *);
} zstd;

static int has_zlib, has_deflater, has_brotli, has_zstd;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find(void *library, void **function, const char *name) {
    *function = library != NULL ? dlsym(library, name) : NULL;
    return *function != NULL;
}

static void load(void) {
    void *library = dlopen("libz.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { library = dlopen("libz.so", RTLD_NOW | RTLD_LOCAL); }
    has_zlib = find(library, (void **)&zlib.init, "inflateInit2_") && find(library, (void **)&zlib.inflate, "inflate")
        && find(library, (void **)&zlib.reset, "inflateReset") && find(library, (void **)&zlib.end, "inflateEnd");
    has_deflater = find(library, (void **)&deflater.init, "deflateInit2_")
        && find(library, (void **)&deflater.deflate, "deflate") && find(library, (void **)&deflater.end, "deflateEnd");
    library = dlopen("libbrotlidec.so.1", RTLD_NOW | RTLD_LOCAL);
    has_brotli = find(library, (void **)&brotli.make, "BrotliDecoderCreateInstance")
        && find(library, (void **)&brotli.decode, "BrotliDecoderDecompressStream")
        && find(library, (void **)&brotli.release, "BrotliDecoderDestroyInstance");
    library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL);
    has_zstd = find(library, (void **)&zstd.make, "ZSTD_createDStream")
        && find(library, (void **)&zstd.set, "ZSTD_DCtx_setParameter")
        && find(library, (void **)&zstd.decode, "ZSTD_decompressStream")
        && find(library, (void **)&zstd.is_error, "ZSTD_isError")
        && find(library, (void **)&zstd.release, "ZSTD_freeDStream");
}

int ccurl_can_decode(ccurl_coding coding) {
    pthread_once(&once, load);
    switch (coding) {
    case CCURL_CODING_GZIP:
    case CCURL_CODING_DEFLATE: return has_zlib;
    case CCURL_CODING_BROTLI: return has_brotli;
    case CCURL_CODING_ZSTD: return has_zstd;
    }
    return 0;
}

struct ccurl_decoder {
    ccurl_coding coding;
    ccurl_decoding state;
    int has_begun;
    // The state of Brotli or zstd. The state of zlib is `z`.
    void *other;
    struct z_state z;
};

ccurl_decoder *ccurl_decoder_make(ccurl_coding coding) {
    if (!ccurl_can_decode(coding)) { return NULL; }
    ccurl_decoder *decoder = calloc(1, sizeof *decoder);
    if (decoder == NULL) { return NULL; }
    decoder->coding = coding;
    // Empty content is complete: a server may name a coding and send nothing.
    decoder->state = CCURL_DECODING_ENDED;
    if (coding == CCURL_CODING_BROTLI) { decoder->other = brotli.make(NULL, NULL, NULL); }
    if (coding == CCURL_CODING_ZSTD) {
        decoder->other = zstd.make();
        if (decoder->other != NULL) { zstd.set(decoder->other, zstd_window_option, zstd_window); }
    }
    if ((coding == CCURL_CODING_BROTLI || coding == CCURL_CODING_ZSTD) && decoder->other == NULL) {
        free(decoder);
        return NULL;
    }
    return decoder;
}

void ccurl_decoder_free(ccurl_decoder *decoder) {
    if (decoder == NULL) { return; }
    if (decoder->coding == CCURL_CODING_BROTLI) { brotli.release(decoder->other); }
    if (decoder->coding == CCURL_CODING_ZSTD) { zstd.release(decoder->other); }
    if (decoder->z.state != NULL) { zlib.end(&decoder->z); }
    free(decoder);
}

ccurl_decoding ccurl_decoder_state(const ccurl_decoder *decoder) { return decoder->state; }

// The coding "deflate" is the zlib format (RFC 9110 §8.4.1.2), but some servers leave out the zlib header. The low four bits
// of the header's first byte are 8.
static int window(ccurl_coding coding, uint8_t first) {
    if (coding == CCURL_CODING_GZIP) { return z_window + z_either_header; }
    return (first & 0x0F) == 8 ? z_window : -z_window;
}

static ccurl_decoding inflate_some(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    struct z_state *z = &decoder->z;
    if (!decoder->has_begun) {
        if (zlib.init(z, window(decoder->coding, *input), "1.2.0", (int)sizeof *z) != z_ok) { return CCURL_DECODING_FAILED; }
    } else if (decoder->state == CCURL_DECODING_ENDED) {
        // Only gzip content may have several members (RFC 1952 §2.2).
        if (decoder->coding != CCURL_CODING_GZIP || zlib.reset(z) != z_ok) { return CCURL_DECODING_FAILED; }
    }
    z->next_in = input;
    z->avail_in = *input_count < UINT_MAX ? (unsigned int)*input_count : UINT_MAX;
    z->next_out = output;
    z->avail_out = *output_count < UINT_MAX ? (unsigned int)*output_count : UINT_MAX;
    int result = zlib.inflate(z, z_no_flush);
    *input_count = (size_t)(z->next_in - input);
    *output_count = (size_t)(z->next_out - output);
    if (result == z_stream_end) { return CCURL_DECODING_ENDED; }
    return result == z_ok || result == z_buffer_error ? CCURL_DECODING_GOES_ON : CCURL_DECODING_FAILED;
}

static ccurl_decoding decode_brotli(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    if (decoder->state == CCURL_DECODING_ENDED && decoder->has_begun) { return CCURL_DECODING_FAILED; }
    size_t available_in = *input_count, available_out = *output_count;
    int result = brotli.decode(decoder->other, &available_in, &input, &available_out, &output, NULL);
    *input_count -= available_in;
    *output_count -= available_out;
    if (result == brotli_done) { return CCURL_DECODING_ENDED; }
    return result == brotli_failed ? CCURL_DECODING_FAILED : CCURL_DECODING_GOES_ON;
}

// The content may have several frames (RFC 8878 §3.1). The library begins the next frame by itself.
static ccurl_decoding decode_zstd(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    struct zstd_input in = {input, *input_count, 0};
    struct zstd_output out = {output, *output_count, 0};
    size_t result = zstd.decode(decoder->other, &out, &in);
    *input_count = in.used;
    *output_count = out.used;
    if (zstd.is_error(result)) { return CCURL_DECODING_FAILED; }
    return result == 0 ? CCURL_DECODING_ENDED : CCURL_DECODING_GOES_ON;
}

ccurl_decoding ccurl_decoder_decode(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count) {
    size_t available_in = *input_count, available_out = *output_count;
    if (decoder->state == CCURL_DECODING_FAILED || (decoder->state == CCURL_DECODING_ENDED && available_in == 0)) {
        *output_count = 0;
        return decoder->state;
    }
    switch (decoder->coding) {
    case CCURL_CODING_GZIP:
    case CCURL_CODING_DEFLATE:
        decoder->state = inflate_some(decoder, input, input_count, output, output_count);
        break;
    case CCURL_CODING_BROTLI:
        decoder->state = decode_brotli(decoder, input, input_count, output, output_count);
        break;
    case CCURL_CODING_ZSTD:
        decoder->state = decode_zstd(decoder, input, input_count, output, output_count);
        break;
    }
    decoder->has_begun = 1;
    if (decoder->state == CCURL_DECODING_FAILED) {
        *input_count = 0;
        *output_count = 0;
    } else if (*input_count == 0 && *output_count == 0 && available_in > 0 && available_out > 0) {
        // No progress is possible.
        decoder->state = CCURL_DECODING_FAILED;
    }
    return decoder->state;
}

struct ccurl_encoder {
    struct z_state z;
};

ccurl_encoder *ccurl_encoder_make(ccurl_coding coding) {
    pthread_once(&once, load);
    if (!has_deflater || (coding != CCURL_CODING_GZIP && coding != CCURL_CODING_DEFLATE)) { return NULL; }
    ccurl_encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL) { return NULL; }
    int bits = z_window + (coding == CCURL_CODING_GZIP ? z_gzip_header : 0);
    int result = deflater.init(
        &encoder->z, z_level, z_deflated, bits, z_memory, 0, "1.2.0", (int)sizeof encoder->z);
    if (result == z_ok) { return encoder; }
    free(encoder);
    return NULL;
}

void ccurl_encoder_free(ccurl_encoder *encoder) {
    if (encoder == NULL) { return; }
    deflater.end(&encoder->z);
    free(encoder);
}

int ccurl_encoder_encode(
    ccurl_encoder *encoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count, int is_last) {
    struct z_state *z = &encoder->z;
    z->next_in = input;
    z->avail_in = *input_count < UINT_MAX ? (unsigned int)*input_count : UINT_MAX;
    z->next_out = output;
    z->avail_out = *output_count < UINT_MAX ? (unsigned int)*output_count : UINT_MAX;
    size_t given = z->avail_in;
    int result = deflater.deflate(z, is_last && given == *input_count ? z_finish : z_no_flush);
    *input_count = given - z->avail_in;
    *output_count = (size_t)(z->next_out - output);
    return result == z_ok || result == z_stream_end || result == z_buffer_error;
}
