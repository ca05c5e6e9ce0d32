#if defined(__linux__)

#include "Connection.h"

#include <string.h>
#include <sys/socket.h>

// As much of WebSockets (RFC 6455) as an echo of unfragmented messages and a feed of messages need.

enum { BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };
enum { FINAL = 0x80, MASKED = 0x80, KEY_LENGTH = 24 };

static const char suffix[] = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

static uint32_t rotate(uint32_t word, int bits) { return word << bits | word >> (32 - bits); }

// SHA-1 (RFC 3174) of one block of 64 bytes, so that the server needs OpenSSL for TLS only.
static void add_block(uint32_t state[5], const unsigned char *block) {
    uint32_t words[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int index = 0; index < 80; index++) {
        const unsigned char *bytes = block + 4 * (index & 15);
        words[index] = index < 16
            ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3]
            : rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1);
        uint32_t mixed = index < 20 ? ((b & c) | (~b & d)) + 0x5a827999
            : index < 40 ? (b ^ c ^ d) + 0x6ed9eba1
            : index < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc : (b ^ c ^ d) + 0xca62c1d6;
        uint32_t next = rotate(a, 5) + mixed + e + words[index];
        e = d;
        d = c;
        c = rotate(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

static void write_base64(const unsigned char *bytes, size_t count, char *text) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t index = 0; index < count; index += 3) {
        uint32_t three = (uint32_t)bytes[index] << 16 | (index + 1 < count ? (uint32_t)bytes[index + 1] << 8 : 0)
            | (index + 2 < count ? bytes[index + 2] : 0);
        for (int digit = 0; digit < 4; digit++) {
            *text++ = index + (size_t)digit > count ? '=' : digits[three >> (18 - 6 * digit) & 63];
        }
    }
}

int websocket_accept(server_connection *connection, const char *key) {
    if (key == NULL || strcspn(key, "\r\n") != KEY_LENGTH) { return 0; }
    // The key and the suffix have 60 bytes, which fill two blocks with the end mark and the number of bits.
    unsigned char blocks[128] = {0}, digest[20];
    memcpy(blocks, key, KEY_LENGTH);
    memcpy(blocks + KEY_LENGTH, suffix, sizeof suffix - 1);
    blocks[60] = 0x80;
    blocks[126] = 60 * 8 >> 8;
    blocks[127] = 60 * 8 & 0xff;
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    add_block(state, blocks);
    add_block(state, blocks + 64);
    for (int index = 0; index < 20; index++) {
        digest[index] = (unsigned char)(state[index / 4] >> (24 - 8 * (index % 4)));
    }
    write_base64(digest, sizeof digest, connection->accepted);
    return 1;
}

int websocket_open(server_connection *connection) {
    static const char head[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Accept: ";
    buffer_append(&connection->out, head, sizeof head - 1);
    buffer_append(&connection->out, connection->accepted, sizeof connection->accepted);
    buffer_append(&connection->out, "\r\n\r\n", 4);
    connection->protocol = 3;
    if (connection->route == ROUTE_ECHO) { return 1; }
    char message[2 + 64] = {(char)(FINAL | BINARY), 64};
    memset(message + 2, 7, 64);
    for (; connection->counted > 0; connection->counted--) {
        buffer_append(&connection->out, message, sizeof message);
    }
    // A Close with the code 1000.
    buffer_append(&connection->out, "\x88\x02\x03\xe8", 4);
    return 1;
}

// Reads the head of a frame, and writes that of its echo; returns its length, 0 if bytes are missing.
static size_t take_head(server_connection *connection, const unsigned char *bytes, size_t length) {
    if (length < 2) { return 0; }
    unsigned char first = bytes[0], second = bytes[1] & 0x7f;
    size_t extra = second == 126 ? 2 : second == 127 ? 8 : 0;
    if (length < 2 + extra + 4) { return 0; }
    connection->missing = extra == 0 ? second : 0;
    for (size_t index = 0; index < extra; index++) {
        connection->missing = connection->missing << 8 | bytes[2 + index];
    }
    memcpy(connection->mask, bytes + 2 + extra, 4);
    connection->counted = 0;
    connection->phase = PHASE_BODY;
    connection->is_closing = (first & 15) == CLOSE;
    char echo[10] = {(char)((first & 15) == PING ? FINAL | PONG : first), (char)second};
    memcpy(echo + 2, bytes + 2, extra);
    // The server of a feed has sent its Close.
    if (connection->route == ROUTE_ECHO) { buffer_append(&connection->out, echo, 2 + extra); }
    return 2 + extra + 4;
}

// Removes the mask of the next bytes of a payload.
static void unmask(server_connection *connection, char *bytes, size_t count) {
    unsigned char key[8];
    for (size_t index = 0; index < 8; index++) { key[index] = connection->mask[(connection->counted + index) & 3]; }
    uint64_t wide, word;
    memcpy(&wide, key, 8);
    size_t index = 0;
    for (; index + 8 <= count; index += 8) {
        memcpy(&word, bytes + index, 8);
        word ^= wide;
        memcpy(bytes + index, &word, 8);
    }
    for (; index < count; index++) { bytes[index] ^= (char)key[index & 7]; }
    connection->missing -= count;
    connection->counted += count;
}

ssize_t websocket_receive(server_connection *connection) {
    struct buffer *out = &connection->out;
    size_t most = connection->missing < 256 << 10 ? (size_t)connection->missing : 256 << 10;
    buffer_reserve(out, most);
    ssize_t received = recv(connection->descriptor, out->bytes + out->length, most, 0);
    if (received > 0) {
        unmask(connection, out->bytes + out->length, (size_t)received);
        out->length += (size_t)received;
    }
    return received;
}

int websocket_take(server_connection *connection) {
    size_t done = 0;
    while (!connection->closes) {
        char *bytes = connection->bytes + done;
        size_t length = connection->length - done;
        if (connection->phase == PHASE_HEAD) {
            if (length > 1 && !((unsigned char)bytes[1] & MASKED)) { return 0; }
            size_t head = take_head(connection, (const unsigned char *)bytes, length);
            if (head == 0) { break; }
            done += head;
            continue;
        }
        size_t count = connection->missing < length ? (size_t)connection->missing : length;
        unmask(connection, bytes, count);
        if (connection->route == ROUTE_ECHO) { buffer_append(&connection->out, bytes, count); }
        done += count;
        if (connection->missing > 0) { break; }
        connection->phase = PHASE_HEAD;
        connection->closes = connection->is_closing;
    }
    connection->length -= done;
    memmove(connection->bytes, connection->bytes + done, connection->length);
    return 1;
}

#endif
