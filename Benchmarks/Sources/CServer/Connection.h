#ifndef CONNECTION_H
#define CONNECTION_H

#include "CServer.h"

#include <stdatomic.h>
#include <sys/types.h>

// The part of a request that the next bytes of a connection belong to.
enum phase { PHASE_HEAD, PHASE_BODY, PHASE_CHUNK_SIZE, PHASE_CHUNK_END, PHASE_TRAILER };

enum route {
    ROUTE_NONE, ROUTE_SMALL, ROUTE_CLOSE, ROUTE_KILOBYTE, ROUTE_PAGE, ROUTE_BYTES, ROUTE_COUNT, ROUTE_ECHO, ROUTE_FEED,
    ROUTE_HANDLER
};

struct server {
    server_handler handler;
    // NULL without TLS.
    void *tls;
    int listener;
    int events;
    // Wakes the thread to stop it.
    int waker;
    uint16_t port;
    unsigned long thread;
    server_connection *first;
    // The connections that wait before they send a part.
    int delayed;
    atomic_uint_fast64_t connections, open_connections, resumptions, requests1, requests2;
};

struct buffer {
    char *bytes;
    size_t length;
    size_t capacity;
};

struct part {
    struct part *next;
    server_part facts;
    char bytes[];
};

struct server_connection {
    server *server;
    server_connection *next, *previous;
    int descriptor;
    // The session of TLS; NULL without.
    void *tls;
    // 0 while the protocol is unknown, 1 for HTTP/1.1, 2 for HTTP/2, 3 for a WebSocket.
    int protocol;
    // Whether this connection has sent its settings and the fields of a response, over HTTP/2.
    int has_settings, has_fields;
    // The events that epoll waits for.
    uint32_t interest;
    enum phase phase;
    enum route route;
    int is_chunked;
    // The missing bytes of the body, of its current chunk, or of the payload of a frame.
    uint64_t missing;
    // The received bytes of the body, without the framing of its chunks, or of the payload; the messages of a feed.
    uint64_t counted;
    // What shows a client that its key of a WebSocket was read; the mask of a frame, and whether the frame is a Close.
    char accepted[28];
    unsigned char mask[4];
    int is_closing;
    // The unsent bytes of a response to /bytes.
    uint64_t unsent;
    // The head and the body of a request for the handler.
    struct buffer head, body;
    // The bytes to send, of which some have been sent.
    struct buffer out;
    size_t sent;
    // What follows when the bytes are sent.
    uint64_t mark;
    int closes;
    struct part *first_part, *last_part;
    // When the first part is sent, in nanoseconds.
    uint64_t due;
    size_t length;
    // The last byte stays 0.
    char bytes[20 << 10];
};

// Makes room for more bytes.
void buffer_reserve(struct buffer *buffer, size_t count);

void buffer_append(struct buffer *buffer, const void *bytes, size_t count);

// Consume as many of the received bytes as possible; return 0 if the connection should be closed.
int http1_take(server_connection *connection);
int http2_take(server_connection *connection);
int websocket_take(server_connection *connection);

// Receives bytes of a long payload among those to send, so that they are copied once; like recv.
ssize_t websocket_receive(server_connection *connection);

// Stores what the response to the opening of a WebSocket has to contain; returns 0 if the key is invalid.
int websocket_accept(server_connection *connection, const char *key);

// Responds to the opening of a WebSocket, and sends the messages of a feed; returns 1.
int websocket_open(server_connection *connection);

// Receives the next bytes over HTTP/1.1 without TLS; like recv.
ssize_t http1_receive(server_connection *connection);

// Sends some bytes of a response to /bytes; returns 0 if the connection has failed.
int http1_send_rest(server_connection *connection);

// Each returns NULL if it fails.
void *tls_make(const server_tls *tls);
void *tls_accept(void *tls, int descriptor);

// Like recv and send.
ssize_t tls_receive(void *session, void *bytes, size_t count);
ssize_t tls_send(void *session, const void *bytes, size_t count);

// Whether the client has chosen HTTP/2; once there are bytes.
int tls_has_http2(void *session);

// Whether the connection continues the session of an earlier one.
int tls_is_resumed(void *session);

void tls_end(void *session);

#endif
