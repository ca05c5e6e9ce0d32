#ifndef CTLS_H
#define CTLS_H

#include <stddef.h>

// The part of OpenSSL's binary interface (libssl.so.3, libssl.so.1.1) that servers of tests need.
//
// The library is loaded at run time, so that building needs no installation; on Linux only. A session moves bytes in
// memory, without sockets: received bytes are put in, bytes to send are taken out. One thread at a time may use a
// session, and only after `ctls_load` has returned 1.

typedef struct ctls_session ctls_session;

// Loads the library once, from any thread; returns 0 if it is missing or lacks a function.
int ctls_load(void);

typedef enum { CTLS_DONE = 0, CTLS_NEEDS_BYTES = 1, CTLS_CLOSED = 2, CTLS_FAILED = 3 } ctls_progress;

// Makes a session of a server from the paths of PEM files: its certificates, its own first, and its key. `root` is the
// authority that has to have signed the clients' certificates, NULL if clients need none. `application_protocol` is an
// ALPN name of at most 255 bytes (RFC 7301), which isn't chosen if a client doesn't offer it. The versions are the
// protocol's numbers: 0x0301 is TLS 1.0, 0x0304 is TLS 1.3. With tickets, a client can resume the session of an earlier
// connection to any server of the process; without them, every connection has exactly one full handshake. Returns NULL
// if a file is invalid.
ctls_session *ctls_session_make(
    const char *certificates, const char *key, const char *root, const char *application_protocol, int lowest_version,
    int highest_version, int sends_tickets);
void ctls_session_free(ctls_session *session);

// Each of these functions may produce bytes to send, also alerts when it fails.
ctls_progress ctls_session_shake_hands(ctls_session *session);
ctls_progress ctls_session_read(ctls_session *session, void *buffer, size_t size, size_t *count);
ctls_progress ctls_session_write(ctls_session *session, const void *bytes, size_t count);
void ctls_session_end(ctls_session *session);

void ctls_session_put_received(ctls_session *session, const void *bytes, size_t count);
// Returns the number of bytes taken; 0 if there are none.
size_t ctls_session_take_outgoing(ctls_session *session, void *buffer, size_t size);

// The results of a handshake: the protocol's number, whether it resumed an earlier session, and the name in the client's
// certificate in the format of RFC 4514,
// truncated to the buffer and empty without a certificate.
int ctls_session_version(ctls_session *session);
int ctls_session_is_resumed(ctls_session *session);
void ctls_session_client_subject(ctls_session *session, char *buffer, int size);

#endif
