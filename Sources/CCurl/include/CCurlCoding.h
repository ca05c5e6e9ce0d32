#ifndef CCURL_CODING_H
#define CCURL_CODING_H

#include <stddef.h>
#include <stdint.h>

// Decoding and encoding of HTTP's content codings (RFC 9110 §8.4.1), with the libraries that libcurl uses for them.
//
// libcurl does not report whether the content that it decoded was complete, so these functions decode it instead. The
// libraries are loaded at the first use; a coding whose library is missing is not available.

typedef enum {
    CCURL_CODING_GZIP = 0,
    CCURL_CODING_DEFLATE = 1,
    CCURL_CODING_BROTLI = 2,
    CCURL_CODING_ZSTD = 3
} ccurl_coding;

int ccurl_can_decode(ccurl_coding coding);

typedef struct ccurl_decoder ccurl_decoder;

// NULL if the coding's library is missing, or there is no memory.
ccurl_decoder *ccurl_decoder_make(ccurl_coding coding);
void ccurl_decoder_free(ccurl_decoder *decoder);

typedef enum {
    // The content is incomplete.
    CCURL_DECODING_GOES_ON = 0,
    // The content is complete, or empty; further content may follow where the coding allows it.
    CCURL_DECODING_ENDED = 1,
    // The content is invalid in this coding.
    CCURL_DECODING_FAILED = 2
} ccurl_decoding;

ccurl_decoding ccurl_decoder_state(const ccurl_decoder *decoder);

// Decodes the input into the output. Before the call, each count is the number of available bytes; afterwards, it is the
// number of used bytes.
//
// As long as a call fills the output, call again with the remaining input, even if none remains.
ccurl_decoding ccurl_decoder_decode(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count);

typedef struct ccurl_encoder ccurl_encoder;

// An encoder for gzip or deflate, with zlib's level 6 and, for gzip, a head without time and name. NULL for another coding,
// if zlib is missing, or if there is no memory.
ccurl_encoder *ccurl_encoder_make(ccurl_coding coding);
void ccurl_encoder_free(ccurl_encoder *encoder);

// Encodes the input into the output, with counts as in `ccurl_decoder_decode`, and returns 0 for a failure. `is_last` says
// that the content ends with this input.
//
// As long as a call fills the output, call again with the remaining input, even if none remains.
int ccurl_encoder_encode(
    ccurl_encoder *encoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count, int is_last);

#endif
