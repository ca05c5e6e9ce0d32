#if defined(__linux__)

#define _GNU_SOURCE
#include "Connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void buffer_reserve(struct buffer *buffer, size_t count) {
    if (buffer->length + count <= buffer->capacity) { return; }
    buffer->capacity = (buffer->length + count) * 2;
    buffer->bytes = realloc(buffer->bytes, buffer->capacity);
    if (buffer->bytes == NULL) { abort(); }
}

void buffer_append(struct buffer *buffer, const void *bytes, size_t count) {
    if (count == 0) { return; }
    buffer_reserve(buffer, count);
    memcpy(buffer->bytes + buffer->length, bytes, count);
    buffer->length += count;
}

void server_add(server_connection *connection, const server_part *facts) {
    struct part *part = malloc(sizeof *part + facts->count);
    if (part == NULL) { abort(); }
    part->next = NULL;
    part->facts = *facts;
    memcpy(part->bytes, facts->bytes, facts->count);
    if (connection->first_part == NULL) {
        connection->first_part = part;
        connection->due = clock_now() + facts->delay_microseconds * 1000ull;
        connection->server->delayed++;
    } else {
        connection->last_part->next = part;
    }
    connection->last_part = part;
}

static void drop_first_part(server_connection *connection) {
    struct part *part = connection->first_part;
    connection->first_part = part->next;
    if (part->next == NULL) { connection->server->delayed--; }
    free(part);
}

static void report(server_connection *connection, uint64_t mark) {
    server_handler *handler = &connection->server->handler;
    if (mark != 0) { handler->reached(handler->context, mark); }
}

// Puts the first part's bytes among those to send.
static void begin_part(server_connection *connection) {
    server_part facts = connection->first_part->facts;
    report(connection, facts.mark_before);
    buffer_append(&connection->out, connection->first_part->bytes, facts.count);
    connection->mark = facts.mark_after;
    connection->closes = facts.closes;
    drop_first_part(connection);
    if (connection->first_part != NULL) {
        connection->due = clock_now() + connection->first_part->facts.delay_microseconds * 1000ull;
    }
}

static ssize_t send_some(server_connection *connection) {
    const char *bytes = connection->out.bytes + connection->sent;
    size_t count = connection->out.length - connection->sent;
    return connection->tls != NULL ? tls_send(connection->tls, bytes, count)
        : send(connection->descriptor, bytes, count, MSG_NOSIGNAL | (connection->unsent > 0 ? MSG_MORE : 0));
}

// Sends what can be sent now; returns 0 if the connection has failed or should be closed.
static int send_all(server_connection *connection) {
    for (;;) {
        while (connection->sent < connection->out.length) {
            ssize_t sent = send_some(connection);
            if (sent <= 0) { return sent < 0 && (errno == EAGAIN || errno == EINTR); }
            connection->sent += (size_t)sent;
        }
        connection->sent = connection->out.length = 0;
        report(connection, connection->mark);
        connection->mark = 0;
        if (connection->closes) { return 0; }
        // More than one buffer is sent when the socket is ready again, so that other connections get their turn.
        if (connection->unsent > 0) { return http1_send_rest(connection); }
        if (connection->first_part == NULL || clock_now() < connection->due) { return 1; }
        begin_part(connection);
    }
}

static int take(server_connection *connection) {
    if (connection->protocol == 0) {
        connection->protocol = connection->tls != NULL && tls_has_http2(connection->tls) ? 2 : 1;
    }
    return connection->protocol == 1 ? http1_take(connection)
        : connection->protocol == 2 ? http2_take(connection) : websocket_take(connection);
}

static int receive_all(server_connection *connection) {
    if (connection->tls == NULL) {
        ssize_t received = http1_receive(connection);
        if (received < 0) { return errno == EAGAIN || errno == EINTR; }
        return received > 0 && take(connection);
    }
    // The session may hold bytes that the socket doesn't show.
    for (;;) {
        size_t space = sizeof connection->bytes - 1 - connection->length;
        ssize_t received = tls_receive(connection->tls, connection->bytes + connection->length, space);
        if (received < 0) { return errno == EAGAIN || errno == EINTR; }
        connection->length += (size_t)received;
        if (received == 0 || !take(connection)) { return 0; }
    }
}

static int has_unsent(server_connection *connection) {
    return connection->unsent > 0 || connection->sent < connection->out.length;
}

static void end(server_connection *connection) {
    server *server = connection->server;
    while (connection->first_part != NULL) { drop_first_part(connection); }
    if (connection->tls != NULL) {
        int is_resumed = tls_is_resumed(connection->tls);
        atomic_fetch_add_explicit(&server->resumptions, is_resumed, memory_order_relaxed);
        tls_end(connection->tls);
    }
    // Closing alone doesn't remove it while a process that is being started has a copy of it.
    epoll_ctl(server->events, EPOLL_CTL_DEL, connection->descriptor, NULL);
    close(connection->descriptor);
    if (connection->next != NULL) { connection->next->previous = connection->previous; }
    *(connection->previous != NULL ? &connection->previous->next : &server->first) = connection->next;
    atomic_fetch_sub_explicit(&server->open_connections, 1, memory_order_relaxed);
    free(connection->head.bytes);
    free(connection->body.bytes);
    free(connection->out.bytes);
    free(connection);
}

// Nothing is read from a client that doesn't read its response.
static void serve(server_connection *connection, int is_readable) {
    int is_good = !is_readable || has_unsent(connection) || receive_all(connection);
    is_good = is_good && send_all(connection);
    // What was received with a request whose response is sent now.
    is_good = is_good && (connection->length == 0 || has_unsent(connection) || (take(connection) && send_all(connection)));
    if (!is_good) { return end(connection); }
    uint32_t interest = has_unsent(connection) ? EPOLLOUT : EPOLLIN;
    if (interest == connection->interest) { return; }
    connection->interest = interest;
    struct epoll_event event = {.events = interest, .data.ptr = connection};
    epoll_ctl(connection->server->events, EPOLL_CTL_MOD, connection->descriptor, &event);
}

static void accept_one(server *server) {
    int descriptor = accept4(server->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) { return; }
    int one = 1;
    setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    server_connection *connection = calloc(1, sizeof *connection);
    if (connection == NULL) { abort(); }
    connection->server = server;
    connection->descriptor = descriptor;
    connection->interest = EPOLLIN;
    if (server->tls != NULL) { connection->tls = tls_accept(server->tls, descriptor); }
    connection->next = server->first;
    if (server->first != NULL) { server->first->previous = connection; }
    server->first = connection;
    atomic_fetch_add_explicit(&server->connections, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&server->open_connections, 1, memory_order_relaxed);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    epoll_ctl(server->events, EPOLL_CTL_ADD, descriptor, &event);
}

// Sends the parts that are due, and returns the milliseconds to the next one; -1 if there is none.
static int send_due(server *server) {
    if (server->delayed == 0) { return -1; }
    uint64_t now = clock_now(), next = UINT64_MAX;
    server_connection *following;
    for (server_connection *connection = server->first; connection != NULL; connection = following) {
        following = connection->next;
        if (connection->first_part == NULL || has_unsent(connection)) { continue; }
        if (connection->due <= now) {
            // It may have a further part.
            next = now;
            serve(connection, 0);
        } else if (connection->due < next) {
            next = connection->due;
        }
    }
    return next == UINT64_MAX ? -1 : next <= now ? 0 : (int)((next - now + 999999) / 1000000);
}

static void *run(void *context) {
    server *server = context;
    for (;;) {
        struct epoll_event ready[256];
        int count = epoll_wait(server->events, ready, 256, send_due(server));
        if (count < 0 && errno != EINTR) { return NULL; }
        for (int index = 0; index < count; index++) {
            void *subject = ready[index].data.ptr;
            if (subject == &server->waker) { return NULL; }
            if (subject == &server->listener) {
                accept_one(server);
            } else {
                serve(subject, ready[index].events & ~(uint32_t)EPOLLOUT);
            }
        }
    }
}

static int listen_on_loopback(server *server) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (server->listener < 0 || bind(server->listener, (struct sockaddr *)&address, length) != 0
        || listen(server->listener, 1024) != 0
        || getsockname(server->listener, (struct sockaddr *)&address, &length) != 0) {
        return 0;
    }
    server->port = ntohs(address.sin_port);
    return 1;
}

server *server_start(const server_handler *handler, const server_tls *tls) {
    server *server = calloc(1, sizeof *server);
    if (server == NULL) { return NULL; }
    if (handler != NULL) { server->handler = *handler; }
    if (tls != NULL) { server->tls = tls_make(tls); }
    server->events = epoll_create1(EPOLL_CLOEXEC);
    server->waker = eventfd(0, EFD_CLOEXEC);
    struct epoll_event waker = {.events = EPOLLIN, .data.ptr = &server->waker};
    struct epoll_event listener = {.events = EPOLLIN, .data.ptr = &server->listener};
    pthread_t thread;
    if ((tls != NULL && server->tls == NULL) || server->events < 0 || server->waker < 0
        || !listen_on_loopback(server) || epoll_ctl(server->events, EPOLL_CTL_ADD, server->waker, &waker) != 0
        || epoll_ctl(server->events, EPOLL_CTL_ADD, server->listener, &listener) != 0
        || pthread_create(&thread, NULL, run, server) != 0) {
        // The process can't go on without its server.
        return NULL;
    }
    server->thread = thread;
    return server;
}

uint16_t server_port(const server *server) { return server->port; }

server_counts server_get_counts(server *server) {
    return (server_counts){
        .connections = atomic_load(&server->connections),
        .open_connections = atomic_load(&server->open_connections),
        .resumptions = atomic_load(&server->resumptions),
        .requests1 = atomic_load(&server->requests1),
        .requests2 = atomic_load(&server->requests2),
    };
}

void server_stop(server *server) {
    eventfd_write(server->waker, 1);
    pthread_join(server->thread, NULL);
    while (server->first != NULL) { end(server->first); }
    close(server->listener);
    close(server->events);
    close(server->waker);
}

void server_free(server *server) { free(server); }

#else

#include "CServer.h"

server *server_start(const server_handler *handler, const server_tls *tls) {
    return 0;
}

void server_add(server_connection *connection, const server_part *part) {}

uint16_t server_port(const server *server) { return 0; }

server_counts server_get_counts(server *server) { return (server_counts){0}; }

void server_stop(server *server) {}

void server_free(server *server) {}

#endif
