#if defined(__linux__)

#define _GNU_SOURCE
#include "Connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

// A server with one thread that responds faster than clients can make requests, on connections that stay open.
//
//     GET /small            a small JSON object with the usual fields of a response
//     GET /wait             no response, for as long as the client waits
//     GET /bytes?count=N    N bytes, as fast as the client reads
//     PUT, POST /count      the number of bytes of the body, as text; the bytes are dropped
//
// It prints its port, and ends at the end of its standard input, so that it never outlives the process that started it.

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
    connection->interest = EPOLLIN;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(events, EPOLL_CTL_ADD, descriptor, &event);
}

// Nothing is read from a client that doesn't read its response.
static void serve(struct connection *connection, int events) {
    if (!connection_serve(connection)) {
        close(connection->descriptor);
        free(connection);
        return;
    }
    uint32_t interest = connection->unsent > 0 ? EPOLLOUT : EPOLLIN;
    if (interest == connection->interest) { return; }
    connection->interest = interest;
    struct epoll_event event = {.events = interest, .data.ptr = connection};
    epoll_ctl(events, EPOLL_CTL_MOD, connection->descriptor, &event);
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
            } else {
                serve(subject, events);
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
