#if defined(__linux__)

#define _GNU_SOURCE
#include "Connection.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>

#define JSON "{\"id\":1,\"name\":\"something\"}"
#define SERVER "Server: benchmark\r\nDate: Sat, 21 Nov 2026 09:00:00 GMT\r\n"

#define HEAD(FIELD) \
    "HTTP/1.1 200 OK\r\n" SERVER "Content-Type: application/json\r\nContent-Length: 27\r\n" \
    "Cache-Control: no-store\r\nX-Request-ID: 0f9c2d7e5b1a4c38\r\n" FIELD "\r\n"

// 1,024 bytes, and as many fields as the response of a usual server.
#define PATTERN "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define KILOBYTE PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN \
    PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN PATTERN

static const char kilobyte[] = "HTTP/1.1 200 OK\r\n" SERVER "Content-Type: text/plain; charset=utf-8\r\n"
    "Content-Length: 1024\r\nLast-Modified: Fri, 20 Nov 2026 09:00:00 GMT\r\nETag: \"655b1f40-400\"\r\n"
    "Cache-Control: no-store, max-age=0\r\nVary: Accept-Encoding\r\nX-Request-ID: 0f9c2d7e5b1a4c38\r\n"
    "Set-Cookie: session=0123456789abcdef; Path=/; HttpOnly\r\n\r\n" KILOBYTE;
static const char small[] = HEAD("") JSON;
static const char closing[] = HEAD("Connection: close\r\n") JSON;
static const char not_found[] = "HTTP/1.1 404 Not Found\r\n" SERVER "Content-Length: 0\r\n\r\n";
static const char go_on[] = "HTTP/1.1 100 Continue\r\n\r\n";

// The content of all large responses: 256 KiB, which fit into a processor's cache.
static const char pattern[256 << 10] = {[0 ... (256 << 10) - 1] = 7};

// A page of rows, made once.
static char page[16 << 10];
static size_t page_length = 0;

static void make_page(void) {
    static char body[12 << 10];
    size_t count = (size_t)snprintf(body, sizeof body, "{\"item\":%s,\"rows\":[", JSON);
    for (int row = 0; count < 10000; row++) {
        count += (size_t)snprintf(body + count, sizeof body - count,
            "%s{\"id\":%d,\"name\":\"row number %d\",\"price\":%d.25,\"isActive\":%s,\"tags\":[\"red\",\"green\",\"blue\"]}",
            row > 0 ? "," : "", row, row, row * 3, row % 2 ? "true" : "false");
    }
    count += (size_t)snprintf(body + count, sizeof body - count, "]}");
    page_length = (size_t)snprintf(page, sizeof page, "HTTP/1.1 200 OK\r\n" SERVER
        "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n%s", count, body);
}

static int has_prefix(const char *bytes, size_t length, const char *prefix) {
    size_t count = strlen(prefix);
    return length >= count && memcmp(bytes, prefix, count) == 0;
}

// Returns the value of a field, or NULL if the field is missing. The head ends with an empty line.
static const char *find_field(const char *head, size_t length, const char *name) {
    size_t count = strlen(name);
    const char *end = head + length - 2;
    const char *line = head;
    while ((line = memmem(line, (size_t)(end - line), "\r\n", 2)) != NULL) {
        line += 2;
        if ((size_t)(end - line) > count && line[count] == ':' && strncasecmp(line, name, count) == 0) {
            return line + count + 1 + strspn(line + count + 1, " \t");
        }
    }
    return NULL;
}

int http1_send_rest(server_connection *connection) {
    size_t count = connection->unsent < sizeof pattern ? (size_t)connection->unsent : sizeof pattern;
    ssize_t sent = send(connection->descriptor, pattern, count, MSG_NOSIGNAL);
    if (sent < 0) { return errno == EAGAIN || errno == EINTR; }
    connection->unsent -= (uint64_t)sent;
    return 1;
}

static int reply(server_connection *connection, const char *bytes, size_t count) {
    buffer_append(&connection->out, bytes, count);
    return 1;
}

static int reply_with_count(server_connection *connection) {
    char number[24], text[256];
    int digits = snprintf(number, sizeof number, "%llu", (unsigned long long)connection->counted);
    int count = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n" SERVER
        "Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s", digits, number);
    return reply(connection, text, (size_t)count);
}

static int reply_with_bytes(server_connection *connection) {
    char text[256];
    int count = snprintf(text, sizeof text, "HTTP/1.1 200 OK\r\n" SERVER
        "Content-Type: application/octet-stream\r\nContent-Length: %llu\r\n\r\n",
        (unsigned long long)connection->unsent);
    return reply(connection, text, (size_t)count);
}

static int call_handler(server_connection *connection) {
    server_handler *handler = &connection->server->handler;
    struct buffer *head = &connection->head, *body = &connection->body;
    handler->respond(handler->context, connection, head->bytes, head->length, body->bytes, body->length);
    head->length = body->length = 0;
    return 1;
}

static int respond(server_connection *connection) {
    connection->phase = PHASE_HEAD;
    atomic_fetch_add_explicit(&connection->server->requests1, 1, memory_order_relaxed);
    switch (connection->route) {
    case ROUTE_SMALL: return reply(connection, small, sizeof small - 1);
    case ROUTE_CLOSE:
        connection->closes = 1;
        return reply(connection, closing, sizeof closing - 1);
    case ROUTE_KILOBYTE: return reply(connection, kilobyte, sizeof kilobyte - 1);
    case ROUTE_PAGE:
        if (page_length == 0) { make_page(); }
        return reply(connection, page, page_length);
    case ROUTE_BYTES: return reply_with_bytes(connection);
    case ROUTE_COUNT: return reply_with_count(connection);
    case ROUTE_ECHO:
    case ROUTE_FEED: return websocket_open(connection);
    case ROUTE_HANDLER: return call_handler(connection);
    case ROUTE_NONE: return reply(connection, not_found, sizeof not_found - 1);
    }
    return 0;
}

static enum route route_of(server_connection *connection, const char *head, size_t length) {
    static const char bytes[] = "GET /bytes?count=", feed[] = "GET /feed?count=";
    if (connection->server->handler.respond != NULL) { return ROUTE_HANDLER; }
    if (has_prefix(head, length, "GET /small ")) { return ROUTE_SMALL; }
    if (has_prefix(head, length, "GET /close ")) { return ROUTE_CLOSE; }
    if (has_prefix(head, length, "GET /kilobyte ")) { return ROUTE_KILOBYTE; }
    if (has_prefix(head, length, "GET /page ")) { return ROUTE_PAGE; }
    if (has_prefix(head, length, bytes)) {
        connection->unsent = strtoull(head + sizeof bytes - 1, NULL, 10);
        return ROUTE_BYTES;
    }
    if (has_prefix(head, length, "GET /echo ") || has_prefix(head, length, feed)) {
        if (!websocket_accept(connection, find_field(head, length, "Sec-WebSocket-Key"))) { return ROUTE_NONE; }
        if (has_prefix(head, length, "GET /echo ")) { return ROUTE_ECHO; }
        connection->counted = strtoull(head + sizeof feed - 1, NULL, 10);
        return ROUTE_FEED;
    }
    int is_counted = has_prefix(head, length, "POST /count ") || has_prefix(head, length, "PUT /count ");
    return is_counted ? ROUTE_COUNT : ROUTE_NONE;
}

static int read_head(server_connection *connection, const char *head, size_t length) {
    connection->route = route_of(connection, head, length);
    if (connection->route == ROUTE_HANDLER) { buffer_append(&connection->head, head, length); }
    if (has_prefix(head, length, "GET ")) { return respond(connection); }
    const char *content_length = find_field(head, length, "Content-Length");
    const char *expectation = find_field(head, length, "Expect");
    connection->is_chunked = find_field(head, length, "Transfer-Encoding") != NULL;
    connection->missing = content_length != NULL ? strtoull(content_length, NULL, 10) : 0;
    connection->counted = 0;
    connection->phase = connection->is_chunked ? PHASE_CHUNK_SIZE : PHASE_BODY;
    return expectation == NULL || reply(connection, go_on, sizeof go_on - 1);
}

static int end_body(server_connection *connection) {
    if (!connection->is_chunked) { return respond(connection); }
    connection->phase = PHASE_CHUNK_END;
    return 1;
}

static int read_line(server_connection *connection, const char *line, size_t length) {
    switch (connection->phase) {
    case PHASE_CHUNK_SIZE:
        connection->missing = strtoull(line, NULL, 16);
        connection->phase = connection->missing > 0 ? PHASE_BODY : PHASE_TRAILER;
        return 1;
    case PHASE_CHUNK_END:
        connection->phase = PHASE_CHUNK_SIZE;
        return length == 2;
    default:
        return length > 2 || respond(connection);
    }
}

// Consumes one head, body or line: 1 if it was complete, 0 if bytes are missing, -1 if it is invalid.
static int take(server_connection *connection, const char *bytes, size_t length, size_t *taken) {
    if (connection->phase == PHASE_BODY) {
        *taken = connection->missing < length ? (size_t)connection->missing : length;
        connection->missing -= *taken;
        connection->counted += *taken;
        if (connection->route == ROUTE_HANDLER) { buffer_append(&connection->body, bytes, *taken); }
        if (connection->missing > 0) { return 0; }
        return end_body(connection) ? 1 : -1;
    }
    int is_head = connection->phase == PHASE_HEAD;
    size_t ending = is_head ? 4 : 2;
    const char *end = memmem(bytes, length, "\r\n\r\n", ending);
    if (end == NULL) { return 0; }
    *taken = (size_t)(end - bytes) + ending;
    int is_good = is_head ? read_head(connection, bytes, *taken) : read_line(connection, bytes, *taken);
    return is_good ? 1 : -1;
}

int http1_take(server_connection *connection) {
    size_t done = 0;
    while (connection->unsent == 0 && connection->protocol == 1) {
        size_t taken = 0;
        int outcome = take(connection, connection->bytes + done, connection->length - done, &taken);
        if (outcome < 0) { return 0; }
        done += taken;
        if (outcome == 0) { break; }
    }
    connection->length -= done;
    memmove(connection->bytes, connection->bytes + done, connection->length);
    return connection->unsent > 0 || connection->length < sizeof connection->bytes - 1;
}

// Bytes that are only counted aren't copied, and those of a long message only once.
ssize_t http1_receive(server_connection *connection) {
    if (connection->phase == PHASE_BODY && connection->route == ROUTE_COUNT) {
        size_t most = connection->missing < 1 << 30 ? (size_t)connection->missing : 1 << 30;
        ssize_t received = recv(connection->descriptor, NULL, most, MSG_TRUNC);
        if (received > 0) {
            connection->missing -= (uint64_t)received;
            connection->counted += (uint64_t)received;
        }
        return received;
    }
    int is_long = connection->missing > sizeof connection->bytes && connection->length == 0;
    if (connection->route == ROUTE_ECHO && connection->phase == PHASE_BODY && is_long) {
        return websocket_receive(connection);
    }
    size_t space = sizeof connection->bytes - 1 - connection->length;
    ssize_t received = recv(connection->descriptor, connection->bytes + connection->length, space, 0);
    if (received > 0) { connection->length += (size_t)received; }
    return received;
}

#endif
