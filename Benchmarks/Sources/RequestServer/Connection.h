#ifndef CONNECTION_H
#define CONNECTION_H

#include <stddef.h>
#include <stdint.h>

// What the next bytes of a connection belong to.
enum phase { PHASE_HEAD, PHASE_BODY, PHASE_CHUNK_SIZE, PHASE_CHUNK_END, PHASE_TRAILER };

enum route { ROUTE_NONE, ROUTE_SMALL, ROUTE_WAIT, ROUTE_BYTES, ROUTE_COUNT };

struct connection {
    int descriptor;
    // What epoll waits for.
    uint32_t interest;
    enum phase phase;
    enum route route;
    int is_chunked;
    // Of the body, or of its present chunk, what is still to come.
    uint64_t missing;
    // Of the body, without what frames its chunks, what has come.
    uint64_t counted;
    // Of the answer's body, what is still to be sent; nothing is received meanwhile.
    uint64_t unsent;
    size_t length;
    // The last one stays 0.
    char bytes[8192];
};

// Goes on with a connection that is ready for what it waits for; 0 when it has ended, or is to be ended.
int connection_serve(struct connection *connection);

#endif
