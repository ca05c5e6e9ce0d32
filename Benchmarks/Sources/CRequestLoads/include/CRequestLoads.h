#ifndef C_REQUEST_LOADS_H
#define C_REQUEST_LOADS_H

#include <stdint.h>

// Requests in C with as little code as possible: the upper bounds of the machine and of libcurl.
// Linux only; elsewhere no load can be made.

// A number of connections that stay open, each with one request in flight.
typedef struct request_load request_load;

typedef enum {
    // Bare sockets and epoll, like load generators.
    REQUEST_LOAD_SOCKETS,
    // libcurl's multi interface with curl_multi_poll and curl_multi_perform.
    REQUEST_LOAD_CURL_POLL,
    // libcurl's multi interface with curl_multi_socket_action and epoll.
    REQUEST_LOAD_CURL_EVENTS
} request_load_kind;

// Prepares connections to a port of 127.0.0.1; returns NULL if that fails or libcurl is missing.
request_load *request_load_make(request_load_kind kind, uint16_t port, int connections);

// Repeats `GET /small` on all connections in one thread until the deadline, and returns when the last request has
// ended. Times and latencies are nanoseconds of CLOCK_MONOTONIC; at most `room` latencies are stored. Returns the
// number of requests, or -1 if any request failed.
int64_t request_load_run(request_load *load, uint64_t deadline, uint32_t *latencies, int64_t room);

void request_load_free(request_load *load);

#endif
