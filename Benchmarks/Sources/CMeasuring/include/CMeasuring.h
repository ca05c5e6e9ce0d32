#ifndef C_MEASURING_H
#define C_MEASURING_H

#include <stddef.h>
#include <stdint.h>

/// Starts to count the heap allocations of the whole process from 0.
///
/// Works with glibc only, and not under a sanitizer, which has its own allocator; elsewhere the count stays 0.
void allocations_start(void);

/// Stops counting, and returns the number of calls of malloc, calloc, realloc and their aligned variants.
uint64_t allocations_stop(void);

/// Returns the bytes on the heap of the process, over all arenas; 0 if unknown.
uint64_t heap_bytes_in_use(void);

/// Returns free pages of the heap to the system, so that resident memory is memory in use.
void heap_trim(void);

/// Returns the free end of each arena to the system as soon as it is larger than 128 KB, where heap_trim() cannot.
void heap_keep_little(void);

/// A number of connections of libcurl, each with one request in flight, with as little code as possible: the upper
/// bound of what can be done with libcurl. Linux only.
typedef struct curl_load curl_load;

/// Prepares requests of a path, which begins with a slash, at a port of 127.0.0.1; each response must be a 200 with a
/// body of this length. Returns NULL if that fails or libcurl is missing.
curl_load *curl_load_make(uint16_t port, const char *path, size_t body_bytes, int connections);

/// Repeats the request on all connections in one thread until the deadline, and returns when the last one has ended.
///
/// Times and latencies are nanoseconds of CLOCK_MONOTONIC; at most `room` latencies are stored. Returns the number of
/// requests, or −1 if any request failed.
int64_t curl_load_run(curl_load *load, uint64_t deadline, uint32_t *latencies, int64_t room);

void curl_load_free(curl_load *load);

/// A WebSocket over a plain socket that exchanges messages with a server's echo, with as little code as possible: the
/// upper bound of what any client can do. Linux only.
typedef struct echo_load echo_load;

/// Opens the socket at `/echo` of a port of 127.0.0.1; each message has this many bytes, at least one. Returns NULL if
/// that fails.
echo_load *echo_load_make(uint16_t port, size_t bytes, int in_flight);

/// Keeps the given number of messages in flight in one thread until the deadline, and returns when all have come back.
///
/// Times and latencies are as for curl_load_run(). Returns the number of messages, or −1 if the socket failed.
int64_t echo_load_run(echo_load *load, uint64_t deadline, uint32_t *latencies, int64_t room);

void echo_load_free(echo_load *load);

#endif
