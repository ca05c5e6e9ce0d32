#ifndef CTLS_H
#define CTLS_H

#include <stddef.h>

// The part of OpenSSL's binary interface (libssl.so.3, libssl.so.1.1) that tests need, declared in their own words.
//
// The library is found when the process runs, so that nothing has to be installed or linked to build; it is only looked
// for on Linux. A session moves bytes in memory and knows no sockets: what arrives is put in, what is to be sent is
// taken out. One thread at a time may use a session, and none before `ctls_load` has returned 1.

typedef struct ctls_session ctls_session;

// Looks for the library once, whichever thread asks first; 0 if there is none, or none that can do all of this.
int ctls_load(void);

// Paths are those of PEM files.
typedef struct {
    int is_server;
    // What the session shows, its own certificate first, and the key of that; NULL for nothing.
    const char *certificates;
    const char *key;
    const char *password;
    // Whom it trusts; NULL if the peer is not to be asked for a certificate, or not to be checked.
    const char *root;
    // Whether a server ends the handshake with a client that shows no certificate.
    int requires_certificate;
    // The name or address of the server that a client asks for, and checks if there is a root.
    const char *host;
    // What the session speaks, by its ALPN name of at most 255 bytes (RFC 7301); never NULL.
    const char *application_protocol;
    // As on the wire: 0x0301 is TLS 1.0, 0x0304 is TLS 1.3.
    int lowest_version;
    int highest_version;
} ctls_options;

typedef struct {
    // The number of the alert that the peer sent; -1 if it sent none.
    int alert;
    // Why the peer's certificate is not trusted, a number of X509_V_ERR; 0 if that was not it.
    int untrusted;
    // In the library's words, never NULL.
    const char *reason;
} ctls_failure;

typedef enum { CTLS_DONE = 0, CTLS_NEEDS_BYTES = 1, CTLS_CLOSED = 2, CTLS_FAILED = 3 } ctls_progress;

// NULL, and the failure, if a file cannot be used.
ctls_session *ctls_session_make(const ctls_options *options, ctls_failure *failure);
void ctls_session_free(ctls_session *session);

// Each of these may make bytes to send, also (alerts) when it fails.
ctls_progress ctls_session_shake_hands(ctls_session *session, ctls_failure *failure);
ctls_progress ctls_session_read(
    ctls_session *session, void *buffer, size_t size, size_t *count, ctls_failure *failure);
ctls_progress ctls_session_write(ctls_session *session, const void *bytes, size_t count, ctls_failure *failure);
void ctls_session_close(ctls_session *session);

void ctls_session_put_received(ctls_session *session, const void *bytes, size_t count);
// How many bytes were taken; 0 if there are none.
size_t ctls_session_take_outgoing(ctls_session *session, void *buffer, size_t size);

// What came of a handshake. NULL, or an empty text, for what was not said.
int ctls_session_version(ctls_session *session);
const char *ctls_session_server_name(ctls_session *session);
void ctls_session_application_protocol(ctls_session *session, const unsigned char **name, unsigned int *length);
// The name in the peer's certificate, as RFC 4514 writes it, cut where the buffer ends.
void ctls_session_peer_subject(ctls_session *session, char *buffer, int size);

#endif
