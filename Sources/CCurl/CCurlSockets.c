#define _GNU_SOURCE
#include "CCurlSockets.h"
#include "CCurl.h"

#if defined(__linux__)
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

int ccurl_sockets_make(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ccurl_event_make(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

void ccurl_event_signal(int descriptor) {
    uint64_t one = 1;
    ssize_t written = write(descriptor, &one, sizeof one);
    (void)written;
}

int ccurl_event_watch(int sockets, int descriptor) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data = {.fd = descriptor}};
    return epoll_ctl(sockets, EPOLL_CTL_ADD, descriptor, &event);
}

void ccurl_wakeup_empty(int descriptor) {
    struct stat facts;
    if (fstat(descriptor, &facts) != 0 || S_ISSOCK(facts.st_mode)) { return; }
    int flags = fcntl(descriptor, F_GETFL);
    char bytes[64];
    if (flags < 0 || !(flags & O_NONBLOCK)) { return; }
    while (read(descriptor, bytes, sizeof bytes) > 0) {}
}

int ccurl_sockets_watch(int sockets, int socket, int wanted, int is_once) {
    if (wanted == CURL_POLL_REMOVE) { return epoll_ctl(sockets, EPOLL_CTL_DEL, socket, NULL); }
    struct epoll_event event = {.events = is_once ? EPOLLONESHOT : 0, .data = {.fd = socket}};
    if (wanted & CURL_POLL_IN) { event.events |= EPOLLIN; }
    if (wanted & CURL_POLL_OUT) { event.events |= EPOLLOUT; }
    // Most sockets are in the set already, since a socket stays there after a watch for one event.
    if (epoll_ctl(sockets, EPOLL_CTL_MOD, socket, &event) == 0) { return 0; }
    return errno == ENOENT ? epoll_ctl(sockets, EPOLL_CTL_ADD, socket, &event) : -1;
}

enum { most_events = 256 };

int ccurl_sockets_wait(int sockets, int milliseconds, ccurl_event *events, int capacity) {
    struct epoll_event found[most_events];
    int count = epoll_wait(sockets, found, capacity < most_events ? capacity : most_events, milliseconds);
    for (int index = 0; index < count; index++) {
        int ready = 0;
        if (found[index].events & (EPOLLIN | EPOLLHUP)) { ready |= CURL_CSELECT_IN; }
        if (found[index].events & EPOLLOUT) { ready |= CURL_CSELECT_OUT; }
        if (found[index].events & EPOLLERR) { ready |= CURL_CSELECT_ERR; }
        events[index] = (ccurl_event){.socket = found[index].data.fd, .events = ready};
    }
    return count < 0 && errno == EINTR ? 0 : count;
}

// The first bytes of the kernel's `struct tcp_info`, which glibc declares without the last two.
struct tcp_traffic {
    unsigned char others[52];
    uint32_t last_data_received;
    unsigned char further[64];
    uint64_t bytes_acked;
    uint64_t bytes_received;
};

// Beside a flood of small segments, one of 10,000 counts needs more than 16 rounds, and one of a million 76.
enum { most_rounds = 1000 };

static int read_traffic(int socket, struct tcp_traffic *traffic) {
    socklen_t length = sizeof *traffic;
    return getsockopt(socket, IPPROTO_TCP, TCP_INFO, traffic, &length);
}

ccurl_traffic ccurl_socket_traffic(int socket) {
    struct tcp_traffic before, after = {.bytes_acked = 0};
    int unread = 0, unacked = 0, rounds = 0;
    if (read_traffic(socket, &after) != 0) { return (ccurl_traffic){0}; }
    // Each call looks at another time: bytes that arrive between two of them would not count as read or written.
    do {
        before = after;
        ioctl(socket, FIONREAD, &unread);
        ioctl(socket, TIOCOUTQ, &unacked);
        if (read_traffic(socket, &after) != 0) { return (ccurl_traffic){0}; }
    } while ((before.bytes_acked != after.bytes_acked || before.bytes_received != after.bytes_received) &&
             ++rounds < most_rounds);
    int64_t received = (int64_t)after.bytes_received, acked = (int64_t)after.bytes_acked;
    return (ccurl_traffic){received, received - unread, acked + unacked, acked, after.last_data_received};
}

int ccurl_socket_has_datagrams(int socket) {
    int type = 0;
    socklen_t length = sizeof type;
    return getsockopt(socket, SOL_SOCKET, SO_TYPE, &type, &length) == 0 && type == SOCK_DGRAM;
}

int ccurl_socket_port(int socket) {
    union {
        struct sockaddr any;
        struct sockaddr_in ipv4;
        struct sockaddr_in6 ipv6;
    } address = {.any = {0}};
    socklen_t length = sizeof address;
    if (getsockname(socket, &address.any, &length) != 0) { return -1; }
    return address.any.sa_family == AF_INET6 ? ntohs(address.ipv6.sin6_port) : ntohs(address.ipv4.sin_port);
}

int ccurl_socket_has_unread(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count >= 0 || (errno != EAGAIN && errno != EINTR);
}

int ccurl_socket_has_ended(int socket) {
    char byte;
    ssize_t count = recv(socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR);
}

uint64_t ccurl_file_number(int descriptor) {
    struct stat facts;
    return fstat(descriptor, &facts) == 0 ? facts.st_ino : 0;
}

uint64_t ccurl_file_stamp(const char *path) {
    struct stat facts;
    if (stat(path, &facts) != 0) { return 0; }
    uint64_t time = (uint64_t)facts.st_mtim.tv_sec * 1000000000 + (uint64_t)facts.st_mtim.tv_nsec;
    return (time * 31 + facts.st_ino) * 31 + (uint64_t)facts.st_size;
}

void ccurl_socket_shut(int socket) {
    char bytes[4096];
    shutdown(socket, SHUT_RDWR);
    while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
}

struct task {
    void (*run)(void *context);
    void *context;
};

static void *perform(void *memory) {
    struct task task = *(struct task *)memory;
    free(memory);
    task.run(task.context);
    return NULL;
}

uintptr_t ccurl_thread_number(void) { return (uintptr_t)pthread_self(); }

int ccurl_thread_start(const char *name, void (*run)(void *context), void *context) {
    struct task *task = malloc(sizeof *task);
    if (task == NULL) { return ENOMEM; }
    *task = (struct task){run, context};
    // The new thread inherits this signal mask. A crash on it has to reach the handler that prints a backtrace, and that
    // handler stops the other threads with SIGPROF, which profilers use too.
    static const int allowed[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT, SIGSYS, SIGPROF};
    sigset_t blocked, before;
    sigfillset(&blocked);
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index++) { sigdelset(&blocked, allowed[index]); }
    pthread_sigmask(SIG_SETMASK, &blocked, &before);
    pthread_t thread;
    int result = pthread_create(&thread, NULL, perform, task);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (result != 0) {
        free(task);
        return result;
    }
    pthread_setname_np(thread, name);
    pthread_detach(thread);
    return 0;
}
#endif
