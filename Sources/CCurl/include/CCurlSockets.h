#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

// Waiting for events at sockets (epoll and eventfd), and threads, which Swift's modules of the C library do not offer.

// The events at a socket (CURL_CSELECT_…).
typedef struct {
    int socket;
    int events;
} ccurl_event;

// A set of watched sockets; -1 if the process has no descriptors left. Closed with `close`.
int ccurl_sockets_make(void);

// A descriptor that is ready to be read from the signal until it is cleared; -1 if the process has no descriptors left.
// Closed with `close`.
int ccurl_event_make(void);
void ccurl_event_signal(int descriptor);
void ccurl_event_clear(int descriptor);

// Sets the events (CURL_POLL_…) for which a socket is watched, until the first event if `is_once` is not 0; 0 if the system
// accepts that.
int ccurl_sockets_watch(int sockets, int socket, int wanted, int is_once);

// Waits for events and returns their number, at most `capacity`, or 0 after the time; -1 if the descriptors were closed.
int ccurl_sockets_wait(int sockets, int milliseconds, ccurl_event *events, int capacity);

// Runs a function on a new thread, which receives no signals; 0 if there is such a thread.
int ccurl_thread_start(const char *name, void (*run)(void *context), void *context);

#endif
