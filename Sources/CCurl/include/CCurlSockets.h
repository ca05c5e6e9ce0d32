#ifndef CCURL_SOCKETS_H
#define CCURL_SOCKETS_H

// Waiting at the sockets that libcurl names, which Swift's C library modules do not offer.

// Something that can be moved, in libcurl's terms: `CCURL_CAN_READ` and the like.
typedef struct {
    int socket;
    int readiness;
} ccurl_event;

// A set of sockets; -1 if the process has no descriptors left. Closed with `close`.
int ccurl_sockets_make(void);

// A descriptor that can be read when it was rung; -1 if the process has none left. Closed with `close`.
int ccurl_bell_make(void);
void ccurl_bell_ring(int bell);
void ccurl_bell_silence(int bell);

// What is waited for at a socket from now on, `CCURL_WANTS_READING` and the like, or until the first event if `is_once`
// is not 0; 0 if that could be done.
int ccurl_sockets_want(int sockets, int socket, int wanted, int is_once);

// Waits until something can be moved or the time is over; the number of events, of which there are at most `capacity`,
// or -1 if it is not possible to wait any more, because somebody has closed the descriptors.
int ccurl_sockets_wait(int sockets, int milliseconds, ccurl_event *events, int capacity);

// Runs a function on a thread of its own, which gets no signals; 0 if there is such a thread.
int ccurl_thread_start(const char *name, void (*run)(void *context), void *context);

#endif
