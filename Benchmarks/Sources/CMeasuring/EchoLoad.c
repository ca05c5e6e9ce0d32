#define _GNU_SOURCE
#include "CMeasuring.h"

#include <stddef.h>

#if defined(__linux__)

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

// A client of a WebSocket over a plain socket, without a check of the server's head and of what it sends back, and
// without a message in memory: what the system alone costs, and the masking (RFC 6455).

enum { most_head = 14, most_received = 256 << 10 };

struct echo_load {
    int descriptor;
    size_t bytes;
    int64_t in_flight, sent, received;
    // The frames to send, of which some bytes have been sent.
    char *out;
    size_t out_length, out_sent, capacity;
    // The missing bytes of the current frame, and the bytes of its head so far.
    uint64_t missing;
    unsigned char head[10];
    size_t head_length;
    uint32_t key;
    char *payload;
    // When each message in flight was sent.
    uint64_t *starts;
    char in[most_received];
};

static uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void add_message(echo_load *load) {
    size_t extra = load->bytes < 126 ? 0 : load->bytes < 1 << 16 ? 2 : 8;
    if (load->capacity - load->out_length < most_head + load->bytes) {
        load->out_length -= load->out_sent;
        memmove(load->out, load->out + load->out_sent, load->out_length);
        load->out_sent = 0;
    }
    char *frame = load->out + load->out_length, *content = frame + 2 + extra + 4;
    frame[0] = (char)0x82;
    frame[1] = (char)(0x80 | (extra == 0 ? load->bytes : extra == 2 ? 126 : 127));
    for (size_t index = 0; index < extra; index++) {
        frame[2 + index] = (char)(load->bytes >> (8 * (extra - 1 - index)));
    }
    // Not as unpredictable as a client's key has to be.
    load->key = load->key * 1664525 + 1013904223;
    memcpy(frame + 2 + extra, &load->key, 4);
    uint64_t wide = (uint64_t)load->key << 32 | load->key, word;
    size_t index = 0;
    for (; index + 8 <= load->bytes; index += 8) {
        memcpy(&word, load->payload + index, 8);
        word ^= wide;
        memcpy(content + index, &word, 8);
    }
    for (; index < load->bytes; index++) {
        content[index] = load->payload[index] ^ (char)(load->key >> 8 * (index & 3));
    }
    load->out_length += 2 + extra + 4 + load->bytes;
    load->starts[load->sent++ % load->in_flight] = clock_now();
}

static void end_message(echo_load *load, uint32_t *latencies, int64_t room) {
    uint64_t latency = clock_now() - load->starts[load->received % load->in_flight];
    if (load->received < room) { latencies[load->received] = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency; }
    load->received++;
}

// Consumes received bytes; returns 0 if a frame isn't an echo.
static int take(echo_load *load, const char *bytes, size_t count, uint32_t *latencies, int64_t room) {
    size_t extra = load->bytes < 126 ? 0 : load->bytes < 1 << 16 ? 2 : 8;
    while (count > 0) {
        size_t portion = load->missing < count ? (size_t)load->missing : count;
        load->missing -= portion;
        bytes += portion;
        count -= portion;
        if (portion > 0 && load->missing == 0) { end_message(load, latencies, room); }
        while (load->missing == 0 && count > 0) {
            load->head[load->head_length++] = (unsigned char)*bytes++;
            count--;
            if (load->head_length < 2 + extra) { continue; }
            uint64_t length = extra == 0 ? load->head[1] : 0;
            for (size_t index = 0; index < extra; index++) { length = length << 8 | load->head[2 + index]; }
            if (load->head[0] != 0x82 || length != load->bytes) { return 0; }
            load->missing = length;
            load->head_length = 0;
        }
    }
    return 1;
}

static int exchange(echo_load *load, uint32_t *latencies, int64_t room) {
    while (load->out_sent < load->out_length) {
        ssize_t sent = send(load->descriptor, load->out + load->out_sent, load->out_length - load->out_sent,
            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) { return 0; }
        if (sent < 0) { break; }
        load->out_sent += (size_t)sent;
    }
    int is_sent = load->out_sent == load->out_length;
    if (is_sent) { load->out_sent = load->out_length = 0; }
    struct pollfd ready = {.fd = load->descriptor, .events = POLLIN | (is_sent ? 0 : POLLOUT)};
    if (poll(&ready, 1, 10000) <= 0) { return 0; }
    if (!(ready.revents & POLLIN)) { return 1; }
    ssize_t received = recv(load->descriptor, load->in, sizeof load->in, MSG_DONTWAIT);
    if (received < 0) { return errno == EAGAIN || errno == EINTR; }
    return received > 0 && take(load, load->in, (size_t)received, latencies, room);
}

int64_t echo_load_run(echo_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) {
    load->sent = load->received = 0;
    do {
        while (clock_now() < deadline && load->sent - load->received < load->in_flight) { add_message(load); }
        if (load->received < load->sent && !exchange(load, latencies, room)) { return -1; }
    } while (load->received < load->sent || clock_now() < deadline);
    return load->received;
}

// Sends the request, and receives the head of the response; the server sends nothing after it by itself.
static int open_socket(echo_load *load, uint16_t port) {
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK), .sin_port = htons(port)
    };
    char head[1024];
    int one = 1, count = snprintf(head, sizeof head, "GET /echo HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n", port);
    load->descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (load->descriptor < 0 || connect(load->descriptor, (struct sockaddr *)&address, sizeof address) != 0
        || setsockopt(load->descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one) != 0
        || send(load->descriptor, head, (size_t)count, MSG_NOSIGNAL) != count) {
        return 0;
    }
    size_t length = 0;
    while (length < 4 || memcmp(head + length - 4, "\r\n\r\n", 4) != 0) {
        ssize_t received = recv(load->descriptor, head + length, sizeof head - 1 - length, 0);
        if (received <= 0) { return 0; }
        length += (size_t)received;
    }
    head[length] = 0;
    // The response to the key of the RFC's example.
    return strncmp(head, "HTTP/1.1 101 ", 13) == 0 && strstr(head, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=") != NULL;
}

echo_load *echo_load_make(uint16_t port, size_t bytes, int in_flight) {
    echo_load *load = calloc(1, sizeof *load);
    if (load == NULL) { return NULL; }
    load->bytes = bytes;
    load->in_flight = in_flight;
    load->key = 1;
    load->capacity = (size_t)(in_flight + 1) * (most_head + bytes);
    load->out = malloc(load->capacity);
    load->payload = calloc(1, bytes);
    load->starts = calloc((size_t)in_flight, sizeof *load->starts);
    if (load->out != NULL && load->payload != NULL && load->starts != NULL && open_socket(load, port)) { return load; }
    echo_load_free(load);
    return NULL;
}

void echo_load_free(echo_load *load) {
    if (load->descriptor > 0) { close(load->descriptor); }
    free(load->out);
    free(load->payload);
    free(load->starts);
    free(load);
}

#else

echo_load *echo_load_make(uint16_t port, size_t bytes, int in_flight) { return NULL; }

int64_t echo_load_run(echo_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) { return -1; }

void echo_load_free(echo_load *load) {}

#endif
