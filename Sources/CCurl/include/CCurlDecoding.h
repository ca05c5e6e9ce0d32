#ifndef CCURL_DECODING_H
#define CCURL_DECODING_H

#include <stddef.h>
#include <stdint.h>

// Decoding of HTTP's content codings (RFC 9110 §8.4.1), with the libraries that libcurl uses for them.
//
// libcurl does not report whether the content that it decoded was complete, so these functions decode it instead. The
// libraries are loaded at the first use; a coding whose library is missing cannot be decoded.

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

#endif
