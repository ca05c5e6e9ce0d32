#ifndef C_SERVER_H
#define C_SERVER_H

#include <stddef.h>
#include <stdint.h>

// A server at 127.0.0.1, for HTTP/1.1, and with TLS also for HTTP/2: one thread with epoll, which trusts its clients.
// Linux only; elsewhere it can't be started.
//
//     GET /small            a small JSON object with the usual fields of a response
//     GET /close            the same, after which the connection is closed
//     GET /kilobyte         1,024 bytes of text, with ten fields
//     GET /page             10 KB of JSON
//     GET /bytes?count=N    N bytes, as fast as the client reads
//     PUT, POST /count      the number of bytes of the body, as text; the bytes are dropped
//     GET /echo             a WebSocket that sends each message back
//     GET /feed?count=N     a WebSocket that sends N binary messages of 64 bytes and a Close
//
// Other requests are passed to a handler; without one, the response is 404. Over HTTP/2, all responses are the small
// JSON object.

typedef struct server server;
typedef struct server_connection server_connection;

// The functions are called on the server's thread.
typedef struct {
    void *context;
    // Adds the parts of a response; without any, the client waits until it gives up.
    void (*respond)(void *context, server_connection *connection, const char *head, size_t head_length,
                    const char *body, size_t body_length);
    // Called when a mark of a part is reached.
    void (*reached)(void *context, uint64_t mark);
} server_handler;

// A part of a response. A mark that isn't 0 is reported right before the part is sent, or right after.
typedef struct {
    const void *bytes;
    size_t count;
    // How long the server waits before it sends the part; it counts in milliseconds, rounded up.
    uint32_t delay_microseconds;
    uint64_t mark_before;
    uint64_t mark_after;
    // Whether the connection is closed after this part.
    int closes;
} server_part;

// The TLS of a server: its certificate and key, which are PEM files, and whether it offers HTTP/2, and sends session tickets,
// with which clients can make further connections without a full handshake.
typedef struct {
    const char *certificate;
    const char *key;
    int offers_http2;
    int sends_tickets;
} server_tls;

// What the server has accepted since it was started, and the number of connections that are still open.
typedef struct {
    uint64_t connections;
    uint64_t open_connections;
    // Those of the closed connections that continued the TLS session of an earlier one.
    uint64_t resumptions;
    uint64_t requests1;
    uint64_t requests2;
} server_counts;

// Starts the server on a thread of its own, at a port that the system chooses. Returns NULL if that fails.
//
// The handler may be NULL. So may the TLS, for a server without it.
server *server_start(const server_handler *handler, const server_tls *tls);

// Adds a copy of a part to the response; only within the handler.
void server_add(server_connection *connection, const server_part *part);

uint16_t server_port(const server *server);

server_counts server_get_counts(server *server);

// Closes all connections, and waits until the thread has ended.
void server_stop(server *server);

// Releases a stopped server.
void server_free(server *server);

#endif
