#define _GNU_SOURCE
#include "CTLS.h"

#include <dlfcn.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const char *const library_names[] = {
#if defined(__linux__)
    "libssl.so.3", "libssl.so.1.1", "libssl.so",
#endif
    NULL
};

// Constants of OpenSSL's headers, the same in 1.1.1 and 3.
enum {
    file_is_pem = 1,
    verify_none = 0,
    verify_peer = 1,
    verify_required = 2,
    set_lowest_version = 123,
    set_highest_version = 124,
    set_ticket_keys = 59,
    protocol_chosen = 0,
    protocol_left_open = 3,
    error_wants_read = 2,
    error_closed = 6,
    name_as_rfc = 0x1110317
};

// Sessions may be in use while the process exits.
static const uint64_t keep_when_exiting = 0x80000;

static const uint64_t no_tickets = 1u << 14;
static const uint64_t no_renegotiation = 1u << 30;

// The same for all contexts, so that a ticket of one connection is valid for the next.
static unsigned char ticket_keys[80];

typedef int choose_protocol(
    void *, const unsigned char **, unsigned char *, const unsigned char *, unsigned int, void *);

#define FUNCTIONS(EACH) \
    EACH(void *, TLS_server_method, (void)) \
    EACH(void *, SSL_CTX_new, (void *)) \
    EACH(void, SSL_CTX_free, (void *)) \
    EACH(long, SSL_CTX_ctrl, (void *, int, long, void *)) \
    EACH(uint64_t, SSL_CTX_set_options, (void *, uint64_t)) \
    EACH(void, SSL_CTX_set_security_level, (void *, int)) \
    EACH(int, SSL_CTX_set_num_tickets, (void *, size_t)) \
    EACH(int, SSL_CTX_use_certificate_chain_file, (void *, const char *)) \
    EACH(int, SSL_CTX_use_PrivateKey_file, (void *, const char *, int)) \
    EACH(int, SSL_CTX_load_verify_locations, (void *, const char *, const char *)) \
    EACH(void, SSL_CTX_set_verify, (void *, int, void *)) \
    EACH(void, SSL_CTX_set_alpn_select_cb, (void *, choose_protocol *, void *)) \
    EACH(void *, SSL_new, (void *)) \
    EACH(void, SSL_free, (void *)) \
    EACH(void, SSL_set_bio, (void *, void *, void *)) \
    EACH(void, SSL_set_accept_state, (void *)) \
    EACH(int, SSL_do_handshake, (void *)) \
    EACH(int, SSL_read, (void *, void *, int)) \
    EACH(int, SSL_write, (void *, const void *, int)) \
    EACH(int, SSL_shutdown, (void *)) \
    EACH(int, SSL_get_error, (void *, int)) \
    EACH(int, SSL_version, (void *)) \
    EACH(int, SSL_session_reused, (void *)) \
    EACH(void *, SSL_get1_peer_certificate, (void *)) \
    EACH(void *, X509_get_subject_name, (void *)) \
    EACH(void, X509_free, (void *)) \
    EACH(int, X509_NAME_print_ex, (void *, void *, int, unsigned long)) \
    EACH(void *, BIO_s_mem, (void)) \
    EACH(void *, BIO_new, (void *)) \
    EACH(int, BIO_free, (void *)) \
    EACH(int, BIO_read, (void *, void *, int)) \
    EACH(int, BIO_write, (void *, const void *, int)) \
    EACH(void, ERR_clear_error, (void)) \
    EACH(int, OPENSSL_init_crypto, (uint64_t, const void *))

#define DECLARE(result, name, parameters) static result(*name) parameters;
FUNCTIONS(DECLARE)

static int is_loaded = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(int mode) {
    void *library = NULL;
    for (const char *const *name = library_names; library == NULL && *name != NULL; name++) { library = dlopen(*name, mode); }
    return library;
}

// Prefers the copy that libcurl may have loaded into the process, possibly under a name of its own: two copies of different
// versions would call each other.
static int find_library(void **library) {
    *library = open_library(RTLD_NOW | RTLD_NOLOAD);
    if (*library != NULL) { return 1; }
    *library = RTLD_DEFAULT;
    if (dlsym(*library, "TLS_server_method") != NULL) { return 1; }
    *library = open_library(RTLD_NOW | RTLD_LOCAL);
    return *library != NULL;
}

// Finds libcrypto's functions as well, in the copy that libssl uses.
static int find(void *library, const char *name, void *pointer) {
    void *function = dlsym(library, name);
    if (function == NULL && strcmp(name, "SSL_get1_peer_certificate") == 0) {
        // Its name before OpenSSL 3.
        function = dlsym(library, "SSL_get_peer_certificate");
    }
    memcpy(pointer, &function, sizeof function);
    return function != NULL;
}

static void load(void) {
    void *library;
    if (!find_library(&library)) { return; }
#define FIND(result, name, parameters) if (!find(library, #name, &name)) { return; }
    FUNCTIONS(FIND)
    is_loaded = 1;
}

int ctls_load(void) {
    pthread_once(&once, load);
    return is_loaded;
}

struct ctls_session {
    void *ssl;
    // The object above owns both.
    void *incoming;
    void *outgoing;
    // In the format of the protocol: the length precedes the name.
    unsigned char protocol[1 + 255];
};

static int choose_own_protocol(
    void *ssl, const unsigned char **chosen, unsigned char *length, const unsigned char *offered, unsigned int size,
    void *context) {
    (void)ssl;
    const unsigned char *own = context;
    for (unsigned int start = 0; start < size; start += 1 + offered[start]) {
        if (offered[start] == own[0] && size - start > own[0] && memcmp(offered + start, own, 1 + own[0]) == 0) {
            *chosen = offered + start + 1;
            *length = own[0];
            return protocol_chosen;
        }
    }
    return protocol_left_open;
}

ctls_session *ctls_session_make(
    const char *certificates, const char *key, const char *root, const char *application_protocol, int lowest_version,
    int highest_version, int sends_tickets) {
    // Not in `load`: a test of the client needs a process in which the client was the first to use OpenSSL.
    OPENSSL_init_crypto(keep_when_exiting, NULL);
    ERR_clear_error();
    void *context = SSL_CTX_new(TLS_server_method());
    ctls_session *session = calloc(1, sizeof *session);
    if (context == NULL || session == NULL) { abort(); }
    session->protocol[0] = (unsigned char)strnlen(application_protocol, sizeof session->protocol - 1);
    memcpy(session->protocol + 1, application_protocol, session->protocol[0]);
    // Higher security levels exclude versions before TLS 1.2.
    SSL_CTX_set_security_level(context, 0);
    SSL_CTX_set_options(context, sends_tickets ? no_renegotiation : no_renegotiation | no_tickets);
    SSL_CTX_set_alpn_select_cb(context, choose_own_protocol, session->protocol);
    SSL_CTX_set_verify(context, root != NULL ? verify_peer | verify_required : verify_none, NULL);
    if (SSL_CTX_ctrl(context, set_lowest_version, lowest_version, NULL) == 1
        && SSL_CTX_ctrl(context, set_highest_version, highest_version, NULL) == 1
        && SSL_CTX_set_num_tickets(context, sends_tickets ? 2 : 0) == 1
        && SSL_CTX_ctrl(context, set_ticket_keys, sizeof ticket_keys, ticket_keys) == 1
        && SSL_CTX_use_certificate_chain_file(context, certificates) == 1
        && SSL_CTX_use_PrivateKey_file(context, key, file_is_pem) == 1
        && (root == NULL || SSL_CTX_load_verify_locations(context, root, NULL) == 1)) {
        session->ssl = SSL_new(context);
    }
    SSL_CTX_free(context);
    if (session->ssl == NULL) {
        free(session);
        return NULL;
    }
    session->incoming = BIO_new(BIO_s_mem());
    session->outgoing = BIO_new(BIO_s_mem());
    SSL_set_bio(session->ssl, session->incoming, session->outgoing);
    SSL_set_accept_state(session->ssl);
    return session;
}

void ctls_session_free(ctls_session *session) {
    SSL_free(session->ssl);
    free(session);
}

static ctls_progress progress(ctls_session *session, int result) {
    if (result > 0) { return CTLS_DONE; }
    switch (SSL_get_error(session->ssl, result)) {
    case error_wants_read: return CTLS_NEEDS_BYTES;
    case error_closed: return CTLS_CLOSED;
    default: return CTLS_FAILED;
    }
}

ctls_progress ctls_session_shake_hands(ctls_session *session) {
    ERR_clear_error();
    return progress(session, SSL_do_handshake(session->ssl));
}

ctls_progress ctls_session_read(ctls_session *session, void *buffer, size_t size, size_t *count) {
    ERR_clear_error();
    int result = SSL_read(session->ssl, buffer, size < INT_MAX ? (int)size : INT_MAX);
    *count = result > 0 ? (size_t)result : 0;
    return progress(session, result);
}

ctls_progress ctls_session_write(ctls_session *session, const void *bytes, size_t count) {
    const char *rest = bytes;
    ERR_clear_error();
    while (count > 0) {
        int result = SSL_write(session->ssl, rest, count < INT_MAX ? (int)count : INT_MAX);
        if (result <= 0) { return progress(session, result); }
        rest += result;
        count -= (size_t)result;
    }
    return CTLS_DONE;
}

void ctls_session_end(ctls_session *session) {
    ERR_clear_error();
    SSL_shutdown(session->ssl);
    ERR_clear_error();
}

void ctls_session_put_received(ctls_session *session, const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        int result = BIO_write(session->incoming, rest, count < INT_MAX ? (int)count : INT_MAX);
        if (result <= 0) { return; }
        rest += result;
        count -= (size_t)result;
    }
}

size_t ctls_session_take_outgoing(ctls_session *session, void *buffer, size_t size) {
    int result = BIO_read(session->outgoing, buffer, size < INT_MAX ? (int)size : INT_MAX);
    return result > 0 ? (size_t)result : 0;
}

int ctls_session_version(ctls_session *session) { return SSL_version(session->ssl); }

int ctls_session_is_resumed(ctls_session *session) { return SSL_session_reused(session->ssl); }

void ctls_session_client_subject(ctls_session *session, char *buffer, int size) {
    int length = 0;
    void *certificate = SSL_get1_peer_certificate(session->ssl);
    void *text = certificate != NULL ? BIO_new(BIO_s_mem()) : NULL;
    if (text != NULL && X509_NAME_print_ex(text, X509_get_subject_name(certificate), 0, name_as_rfc) >= 0) {
        length = BIO_read(text, buffer, size - 1);
    }
    buffer[length > 0 ? length : 0] = 0;
    BIO_free(text);
    X509_free(certificate);
    ERR_clear_error();
}
