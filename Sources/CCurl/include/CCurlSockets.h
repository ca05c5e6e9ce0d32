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

// The numbers of bytes that have arrived over a TCP connection, that the process has read and written, and that the other side
// has acknowledged; `written` and `acknowledged` count from an unknown start, so compare only differences. And the milliseconds since bytes arrived, or the connection was
// made. All are 0 if the connection is none of TCP.
typedef struct {
    int64_t received;
    int64_t read;
    int64_t written;
    int64_t acknowledged;
    uint32_t silence;
} ccurl_traffic;
ccurl_traffic ccurl_socket_traffic(int socket);

// Whether a socket is one of UDP.
int ccurl_socket_has_datagrams(int socket);

// The port of this end of a connection; -1 if the socket is closed.
int ccurl_socket_port(int socket);
// Whether a socket has bytes that were not read, or was closed by the peer.
int ccurl_socket_has_unread(int socket);
// Whether the peer has ended the connection, and no bytes are left to be read.
int ccurl_socket_has_ended(int socket);

// The number by which the system knows the file of a descriptor, which no other open file has; 0 if it is not open.
uint64_t ccurl_file_number(int descriptor);

// A number that changes with the content of a file; 0 if it can't be read.
uint64_t ccurl_file_stamp(const char *path);

// Ends a connection both ways, and discards what has arrived, so that libcurl sees the end; its socket stays open.
void ccurl_socket_shut(int socket);

// Runs a function on a new thread, which receives no signals. Returns 0, or the error if no thread could be started.
int ccurl_thread_start(const char *name, void (*run)(void *context), void *context);

// Returns a number of the current thread, which no other thread has at the same time; never 0.
uintptr_t ccurl_thread_number(void);

#endif
