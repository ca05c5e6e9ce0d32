#ifndef CCURL_DECODING_H
#define CCURL_DECODING_H

#include <stddef.h>
#include <stdint.h>

// The content codings of HTTP (RFC 9110 §8.4.1), with the libraries by which libcurl knows them itself.
//
// libcurl does not tell whether what it decoded was there to its end, so that is done here. Each library is found when it
// is asked for first; what is not there cannot be decoded.

typedef enum {
    CCURL_CODING_GZIP = 0,
    CCURL_CODING_DEFLATE = 1,
    CCURL_CODING_BROTLI = 2,
    CCURL_CODING_ZSTD = 3
} ccurl_coding;

int ccurl_can_decode(ccurl_coding coding);

typedef struct ccurl_decoder ccurl_decoder;

// NULL if the coding's library is not there, or no memory.
ccurl_decoder *ccurl_decoder_make(ccurl_coding coding);
void ccurl_decoder_free(ccurl_decoder *decoder);

typedef enum {
    // The content is not at its end.
    CCURL_DECODING_GOES_ON = 0,
    // It may be at its end, which it is before it has begun too; where the coding allows it, another one may follow.
    CCURL_DECODING_ENDED = 1,
    // It is not of this coding, or is broken.
    CCURL_DECODING_FAILED = 2
} ccurl_decoding;

ccurl_decoding ccurl_decoder_state(const ccurl_decoder *decoder);

// Decodes from the beginning of the input; both counts are room before, and afterwards what was used of it.
//
// To be called again with what is left of the input, or with none, as long as the output was filled.
ccurl_decoding ccurl_decoder_decode(
    ccurl_decoder *decoder, const uint8_t *input, size_t *input_count, uint8_t *output, size_t *output_count);

#endif
