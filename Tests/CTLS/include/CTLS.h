#ifndef CTLS_H
#define CTLS_H

#include <stddef.h>

// The part of OpenSSL's binary interface (libssl.so.3, libssl.so.1.1) that tests need.
//
// The library is loaded at run time, so that building needs no installation; on Linux only. A session moves bytes in
// memory, without sockets: received bytes are put in, bytes to send are taken out. One thread at a time may use a
// session, and only after `ctls_load` has returned 1.

typedef struct ctls_session ctls_session;

// Loads the library once, from any thread; returns 0 if it is missing or lacks a function.
int ctls_load(void);

// Paths are those of PEM files.
typedef struct {
    int is_server;
    // The certificates of the session, its own first, and the key; NULL without an identity.
    const char *certificates;
    const char *key;
    const char *password;
    // The trust roots; NULL if the peer's certificate isn't requested or checked.
    const char *root;
    // Whether a server rejects clients without a certificate.
    int requires_certificate;
    // The server's name or address that a client requests, and checks if there is a root.
    const char *host;
    // The protocol of the session, by its ALPN name of at most 255 bytes (RFC 7301); never NULL.
    const char *application_protocol;
    // The protocol's numbers: 0x0301 is TLS 1.0, 0x0304 is TLS 1.3.
    int lowest_version;
    int highest_version;
} ctls_options;

typedef struct {
    // The number of the alert that the peer sent; -1 if it sent none.
    int alert;
    // The X509_V_ERR number if the peer's certificate isn't trusted; 0 for other failures.
    int untrusted;
    // The library's text, never NULL.
    const char *reason;
} ctls_failure;

typedef enum { CTLS_DONE = 0, CTLS_NEEDS_BYTES = 1, CTLS_CLOSED = 2, CTLS_FAILED = 3 } ctls_progress;

// Returns NULL, and the failure, if a file is invalid.
ctls_session *ctls_session_make(const ctls_options *options, ctls_failure *failure);
void ctls_session_free(ctls_session *session);

// Each of these functions may produce bytes to send, also alerts when it fails.
ctls_progress ctls_session_shake_hands(ctls_session *session, ctls_failure *failure);
ctls_progress ctls_session_read(
    ctls_session *session, void *buffer, size_t size, size_t *count, ctls_failure *failure);
ctls_progress ctls_session_write(ctls_session *session, const void *bytes, size_t count, ctls_failure *failure);
void ctls_session_close(ctls_session *session);

void ctls_session_put_received(ctls_session *session, const void *bytes, size_t count);
// Returns the number of bytes taken; 0 if there are none.
size_t ctls_session_take_outgoing(ctls_session *session, void *buffer, size_t size);

// The results of a handshake; NULL, or an empty text, for missing values.
int ctls_session_version(ctls_session *session);
const char *ctls_session_server_name(ctls_session *session);
void ctls_session_application_protocol(ctls_session *session, const unsigned char **name, unsigned int *length);
// The name in the peer's certificate in the format of RFC 4514, truncated to the buffer.
void ctls_session_peer_subject(ctls_session *session, char *buffer, int size);

#endif
