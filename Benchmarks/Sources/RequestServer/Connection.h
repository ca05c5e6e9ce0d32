#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>
#include <stdint.h>

// The part of a request that the next bytes of a connection belong to.
enum phase { PHASE_HEAD, PHASE_BODY, PHASE_CHUNK_SIZE, PHASE_CHUNK_END, PHASE_TRAILER };

enum route { ROUTE_NONE, ROUTE_SMALL, ROUTE_PAGE, ROUTE_WAIT, ROUTE_BYTES, ROUTE_COUNT };

struct connection {
    int descriptor;
    // The events that epoll waits for.
    uint32_t interest;
    enum phase phase;
    enum route route;
    int is_chunked;
    // The missing bytes of the body, or of its current chunk.
    uint64_t missing;
    // The received bytes of the body, without the framing of its chunks.
    uint64_t counted;
    // The unsent bytes of the response's body; nothing is received before they are sent.
    uint64_t unsent;
    size_t length;
    // The last byte stays 0.
    char bytes[8192];
};

// Continues a connection that is ready; returns 0 if it has ended or should be closed.
int connection_serve(struct connection *connection);

#endif
