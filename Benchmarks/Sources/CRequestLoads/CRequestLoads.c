#include "RequestLoad.h"

#include <stddef.h>

#if defined(__linux__)

request_load *request_load_make(request_load_kind kind, uint16_t port, int connections) {
    switch (kind) {
    case REQUEST_LOAD_SOCKETS: return socket_load_make(port, connections);
    case REQUEST_LOAD_CURL_POLL: return curl_load_make(port, connections, 0);
    case REQUEST_LOAD_CURL_EVENTS: return curl_load_make(port, connections, 1);
    }
    return NULL;
}

int64_t request_load_run(request_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) {
    load->deadline = deadline;
    load->latencies = latencies;
    load->room = room;
    load->done = 0;
    return load->run(load) ? load->done : -1;
}

void request_load_free(request_load *load) { load->free(load); }

#else

request_load *request_load_make(request_load_kind kind, uint16_t port, int connections) { return NULL; }

int64_t request_load_run(request_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) { return -1; }

void request_load_free(request_load *load) {}

#endif
