#ifndef C_REQUEST_LOADS_H
#define C_REQUEST_LOADS_H

#include <stdint.h>

// Requests made in C, with as little as possible around them: what the machine, and what libcurl, can do at most.
// Linux only; elsewhere nothing can be made.

// A number of connections that stay open, each with one request under way at a time.
typedef struct request_load request_load;

typedef enum {
    // Bare sockets and epoll: what load generators do.
    REQUEST_LOAD_SOCKETS,
    // libcurl's multi interface with curl_multi_poll and curl_multi_perform.
    REQUEST_LOAD_CURL_POLL,
    // libcurl's multi interface with curl_multi_socket_action and epoll.
    REQUEST_LOAD_CURL_EVENTS
} request_load_kind;

// Prepares connections to a port of 127.0.0.1; NULL if that, or finding libcurl, fails.
request_load *request_load_make(request_load_kind kind, uint16_t port, int connections);

// Makes `GET /small` on all connections, one thread for all, begins none after the deadline and returns when the last
// one has ended. Times are those of CLOCK_MONOTONIC in nanoseconds; so are the latencies, of which as many are stored
// as there is room. Returns the number of requests, or -1 if any of them failed.
int64_t request_load_run(request_load *load, uint64_t deadline, uint32_t *latencies, int64_t room);

void request_load_free(request_load *load);

#endif
