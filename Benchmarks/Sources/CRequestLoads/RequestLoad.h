#ifndef REQUEST_LOAD_H
#define REQUEST_LOAD_H

#include "CRequestLoads.h"

#include <time.h>

// The common beginning of all kinds of loads.
struct request_load {
    // 0 if a request failed.
    int (*run)(request_load *load);
    void (*free)(request_load *load);
    uint64_t deadline;
    uint32_t *latencies;
    int64_t room;
    int64_t done;
};

request_load *socket_load_make(uint16_t port, int connections);
request_load *curl_load_make(uint16_t port, int connections, int uses_events);

static inline uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

// Stores a latency, and returns the start of the connection's next request; 0 if there is no further request.
static inline uint64_t request_ended(request_load *load, uint64_t start) {
    uint64_t now = clock_now();
    uint64_t latency = now - start;
    if (load->done < load->room) {
        load->latencies[load->done] = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency;
    }
    load->done++;
    return now < load->deadline ? now : 0;
}

#endif
