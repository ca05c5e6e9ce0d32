#define _GNU_SOURCE
#include "RequestLoad.h"

#if defined(__linux__)

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

static const char request[] = "GET /small HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: */*\r\n\r\n";

struct connection {
    int descriptor;
    uint64_t start;
    size_t length;
    char bytes[4096];
};

struct socket_load {
    request_load common;
    int events;
    int count;
    struct connection connections[];
};

static int begin(struct connection *connection, uint64_t now) {
    connection->start = now;
    connection->length = 0;
    ssize_t count = send(connection->descriptor, request, sizeof request - 1, MSG_NOSIGNAL);
    return count == (ssize_t)sizeof request - 1;
}

// Returns the length of the response once its head is complete; 0 before, -1 for an unexpected response.
static ssize_t response_length(struct connection *connection) {
    connection->bytes[connection->length] = 0;
    char *end = strstr(connection->bytes, "\r\n\r\n");
    if (end == NULL) { return 0; }
    if (strncmp(connection->bytes, "HTTP/1.1 200 ", 13) != 0) { return -1; }
    char *field = strcasestr(connection->bytes, "\r\nContent-Length:");
    if (field == NULL || field > end) { return -1; }
    return end + 4 - connection->bytes + strtol(field + 17, NULL, 10);
}

// Returns 1 if the response is complete, 0 if bytes are missing, -1 if the connection has failed.
static int receive(struct connection *connection) {
    size_t space = sizeof connection->bytes - 1 - connection->length;
    ssize_t received = recv(connection->descriptor, connection->bytes + connection->length, space, 0);
    if (received < 0 && (errno == EAGAIN || errno == EINTR)) { return 0; }
    if (received <= 0) { return -1; }
    connection->length += (size_t)received;
    ssize_t length = response_length(connection);
    if (length < 0) { return -1; }
    return length > 0 && connection->length >= (size_t)length;
}

static int run(request_load *common) {
    struct socket_load *load = (struct socket_load *)common;
    int running = load->count;
    for (int index = 0; index < load->count; index++) {
        if (!begin(&load->connections[index], clock_now())) { return 0; }
    }
    while (running > 0) {
        struct epoll_event ready[256];
        int count = epoll_wait(load->events, ready, 256, 10000);
        if (count == 0 || (count < 0 && errno != EINTR)) { return 0; }
        for (int index = 0; index < count; index++) {
            struct connection *connection = ready[index].data.ptr;
            int outcome = receive(connection);
            if (outcome < 0) { return 0; }
            if (outcome == 0) { continue; }
            uint64_t now = request_ended(common, connection->start);
            if (now == 0) {
                running--;
            } else if (!begin(connection, now)) {
                return 0;
            }
        }
    }
    return 1;
}

static void release(request_load *common) {
    struct socket_load *load = (struct socket_load *)common;
    for (int index = 0; index < load->count; index++) { close(load->connections[index].descriptor); }
    close(load->events);
    free(load);
}

static int open_connection(uint16_t port) {
    int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int one = 1;
    if (descriptor >= 0 && connect(descriptor, (struct sockaddr *)&address, sizeof address) == 0) {
        setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        return descriptor;
    }
    if (descriptor >= 0) { close(descriptor); }
    return -1;
}

request_load *socket_load_make(uint16_t port, int connections) {
    struct socket_load *load = calloc(1, sizeof *load + (size_t)connections * sizeof(struct connection));
    if (load == NULL) { return NULL; }
    load->common.run = run;
    load->common.free = release;
    load->events = epoll_create1(EPOLL_CLOEXEC);
    for (int index = 0; index < connections; index++) {
        struct connection *connection = &load->connections[index];
        connection->descriptor = open_connection(port);
        struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
        if (connection->descriptor < 0
            || epoll_ctl(load->events, EPOLL_CTL_ADD, connection->descriptor, &event) != 0) {
            release(&load->common);
            return NULL;
        }
        load->count++;
    }
    return &load->common;
}

#endif
