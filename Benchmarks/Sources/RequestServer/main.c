#if defined(__linux__)

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// One thread that answers small requests faster than clients can make them, on connections that stay open.
//
//     GET /small   a small JSON object with the fields that an answer usually has
//     GET /wait    nothing, for as long as the client waits
//
// It prints its port and ends when its standard input does, so that it never outlives whoever started it.

#define JSON "{\"id\":1,\"name\":\"something\"}"
#define DATE "Date: Sat, 21 Nov 2026 09:00:00 GMT\r\n"

static const char small[] =
    "HTTP/1.1 200 OK\r\n"
    "Server: benchmark\r\n"
    DATE
    "Content-Type: application/json\r\n"
    "Content-Length: 27\r\n"
    "Cache-Control: no-store\r\n"
    "X-Request-ID: 0f9c2d7e5b1a4c38\r\n"
    "\r\n" JSON;

static const char not_found[] = "HTTP/1.1 404 Not Found\r\nServer: benchmark\r\n" DATE "Content-Length: 0\r\n\r\n";

struct connection {
    int descriptor;
    size_t length;
    char bytes[8192];
};

static int has_prefix(const char *bytes, size_t length, const char *prefix) {
    size_t count = strlen(prefix);
    return length >= count && memcmp(bytes, prefix, count) == 0;
}

// An answer is so short that a socket always takes it whole from a client that reads; another one is let go.
static int answer(int descriptor, const char *head, size_t length) {
    if (has_prefix(head, length, "GET /wait ")) { return 1; }
    int is_small = has_prefix(head, length, "GET /small ");
    const char *bytes = is_small ? small : not_found;
    size_t count = is_small ? sizeof small - 1 : sizeof not_found - 1;
    return send(descriptor, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

// 0 when the connection has ended, or is to be ended.
static int serve(struct connection *connection) {
    size_t space = sizeof connection->bytes - connection->length;
    ssize_t received = recv(connection->descriptor, connection->bytes + connection->length, space, 0);
    if (received < 0) { return errno == EAGAIN || errno == EINTR; }
    if (received == 0) { return 0; }
    connection->length += (size_t)received;
    size_t done = 0;
    for (;;) {
        const char *head = connection->bytes + done;
        const char *end = memmem(head, connection->length - done, "\r\n\r\n", 4);
        if (end == NULL) { break; }
        size_t length = (size_t)(end - head) + 4;
        if (!answer(connection->descriptor, head, length)) { return 0; }
        done += length;
    }
    connection->length -= done;
    memmove(connection->bytes, connection->bytes + done, connection->length);
    return connection->length < sizeof connection->bytes;
}

static void accept_one(int listener, int events) {
    int descriptor = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) { return; }
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    struct connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) {
        close(descriptor);
        return;
    }
    connection->descriptor = descriptor;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

static int listen_on_loopback(void) {
    int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    if (listener < 0 || bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1024) != 0
        || getsockname(listener, (struct sockaddr *)&address, &length) != 0) {
        return -1;
    }
    printf("%d\n", ntohs(address.sin_port));
    fflush(stdout);
    return listener;
}

int main(void) {
    static char for_listener, for_input;
    signal(SIGPIPE, SIG_IGN);
    int events = epoll_create1(EPOLL_CLOEXEC);
    int listener = listen_on_loopback();
    if (events < 0 || listener < 0) {
        perror("RequestServer");
        return 1;
    }
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &for_listener};
    epoll_ctl(events, EPOLL_CTL_ADD, listener, &event);
    event.data.ptr = &for_input;
    epoll_ctl(events, EPOLL_CTL_ADD, STDIN_FILENO, &event);
    for (;;) {
        struct epoll_event ready[256];
        int count = epoll_wait(events, ready, 256, -1);
        if (count < 0 && errno != EINTR) { return 1; }
        for (int index = 0; index < count; index++) {
            void *subject = ready[index].data.ptr;
            if (subject == &for_listener) {
                accept_one(listener, events);
            } else if (subject == &for_input) {
                char byte;
                if (read(STDIN_FILENO, &byte, 1) <= 0) { return 0; }
            } else if (!serve(subject)) {
                close(((struct connection *)subject)->descriptor);
                free(subject);
            }
        }
    }
}

#else

#include <stdio.h>

int main(void) {
    fputs("RequestServer needs epoll, which is Linux's.\n", stderr);
    return 1;
}

#endif
