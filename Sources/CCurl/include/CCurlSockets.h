#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

// Waiting for events at sockets (epoll and eventfd), and threads: Swift's modules of the C library lack these functions.

#include <stdint.h>

// The events at a socket (CURL_CSELECT_…).
typedef struct {
    int socket;
    int events;
} ccurl_event;

// Creates a set of watched sockets, to be closed with `close`; -1 if the process has no descriptors left.
int ccurl_sockets_make(void);

// Creates a descriptor that can be signalled, to be closed with `close`; -1 if the process has no descriptors left.
int ccurl_event_make(void);
void ccurl_event_signal(int descriptor);
// Makes each signal, or several at once, an event of the set. Returns 0, or -1 if the system refuses.
int ccurl_event_watch(int sockets, int descriptor);

// Sets the events (CURL_POLL_…) for which a socket is watched. If `is_once` is not 0, the watch ends at the first event.
// Returns 0, or -1 if the system refuses.
int ccurl_sockets_watch(int sockets, int socket, int wanted, int is_once);

// Empties a descriptor with which libcurl wakes itself, if this is one: no socket, and not blocking.
void ccurl_wakeup_empty(int descriptor);

// Waits for events and returns their number, at most `capacity`; 0 after the time, and -1 if the set was closed.
int ccurl_sockets_wait(int sockets, int milliseconds, ccurl_event *events, int capacity);

// The number of bytes that the process has read from a TCP connection, at least and at most, since bytes may arrive while they
// are counted; and the numbers that it has written, and that the other side has acknowledged, which may be off by one
// constant. All are 0 if the connection is none of TCP.
typedef struct {
    int64_t least_read;
    int64_t most_read;
    int64_t written;
    int64_t acknowledged;
} ccurl_traffic;
ccurl_traffic ccurl_socket_traffic(int socket);

// The number by which the system knows the file of a descriptor, which no other open file has; 0 if it is not open.
uint64_t ccurl_file_number(int descriptor);

// Ends a connection both ways; its socket stays open.
void ccurl_socket_shut(int socket);

// Runs a function on a new thread, which receives no signals. Returns 0, or the error if no thread could be started.
int ccurl_thread_start(const char *name, void (*run)(void *context), void *context);

// Returns a number of the current thread, which no other thread has at the same time; never 0.
uintptr_t ccurl_thread_number(void);

#endif
