#if defined(__linux__)

#include "Connection.h"

#include <string.h>

// As little of HTTP/2 (RFC 9113) as responses to requests without bodies need. The windows of flow control are ignored:
// the bodies of all requests that a client may have in flight are much smaller.

enum { DATA, HEADERS, PRIORITY, RESET, SETTINGS, PUSH, PING, GO_AWAY };
enum { END_STREAM = 1, ACKNOWLEDGED = 1, END_HEADERS = 4 };

static const char preface[] = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
static const char body[] = "{\"id\":1,\"name\":\"something\"}";

static void send_frame(server_connection *connection, int type, int flags, uint32_t stream, const void *bytes,
                       size_t count) {
    unsigned char head[9] = {
        (unsigned char)(count >> 16), (unsigned char)(count >> 8), (unsigned char)count, (unsigned char)type,
        (unsigned char)flags, (unsigned char)(stream >> 24), (unsigned char)(stream >> 16),
        (unsigned char)(stream >> 8), (unsigned char)stream,
    };
    buffer_append(&connection->out, head, sizeof head);
    buffer_append(&connection->out, bytes, count);
}

// Writes a field that the client keeps in its table (HPACK, RFC 7541), and returns its length.
static size_t write_field(char *text, const char *name, const char *value) {
    size_t name_length = strlen(name), value_length = strlen(value);
    text[0] = 0x40;
    text[1] = (char)name_length;
    memcpy(text + 2, name, name_length);
    text[2 + name_length] = (char)value_length;
    memcpy(text + 3 + name_length, value, value_length);
    return 3 + name_length + value_length;
}

static void respond(server_connection *connection, uint32_t stream) {
    static const char *fields[][2] = {
        {"server", "benchmark"}, {"date", "Sat, 21 Nov 2026 09:00:00 GMT"}, {"content-type", "application/json"},
        {"content-length", "27"}, {"cache-control", "no-store"}, {"x-request-id", "0f9c2d7e5b1a4c38"},
    };
    // The status 200, and the six fields that the first response has put into the table.
    static const char known[] = "\x88\xc3\xc2\xc1\xc0\xbf\xbe";
    atomic_fetch_add_explicit(&connection->server->requests2, 1, memory_order_relaxed);
    if (connection->has_fields) {
        send_frame(connection, HEADERS, END_HEADERS, stream, known, sizeof known - 1);
    } else {
        char text[512] = {known[0]};
        size_t count = 1;
        for (int index = 0; index < 6; index++) {
            count += write_field(text + count, fields[index][0], fields[index][1]);
        }
        send_frame(connection, HEADERS, END_HEADERS, stream, text, count);
        connection->has_fields = 1;
    }
    send_frame(connection, DATA, END_STREAM, stream, body, sizeof body - 1);
}

static void take_frame(server_connection *connection, const unsigned char *frame, size_t count) {
    int type = frame[3], flags = frame[4];
    uint32_t stream = ((uint32_t)frame[5] & 0x7f) << 24 | (uint32_t)frame[6] << 16 | (uint32_t)frame[7] << 8 | frame[8];
    if ((type == HEADERS || type == DATA) && flags & END_STREAM) {
        respond(connection, stream);
    } else if ((type == SETTINGS || type == PING) && !(flags & ACKNOWLEDGED)) {
        send_frame(connection, type, ACKNOWLEDGED, 0, frame + 9, type == PING ? count : 0);
    }
}

int http2_take(server_connection *connection) {
    size_t done = 0;
    if (!connection->has_settings) {
        if (connection->length < sizeof preface - 1) { return 1; }
        if (memcmp(connection->bytes, preface, sizeof preface - 1) != 0) { return 0; }
        done = sizeof preface - 1;
        // At most 100 streams at once, like most servers.
        send_frame(connection, SETTINGS, 0, 0, "\0\3\0\0\0\x64", 6);
        connection->has_settings = 1;
    }
    while (connection->length - done >= 9) {
        const unsigned char *frame = (const unsigned char *)connection->bytes + done;
        size_t count = (size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2];
        if (count > 16384) { return 0; }
        if (connection->length - done < 9 + count) { break; }
        take_frame(connection, frame, count);
        done += 9 + count;
    }
    connection->length -= done;
    memmove(connection->bytes, connection->bytes + done, connection->length);
    return 1;
}

#endif
