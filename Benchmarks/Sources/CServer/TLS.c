#if defined(__linux__)

#define _GNU_SOURCE
#include "Connection.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>

// OpenSSL, found at run time, so that nothing has to be installed to build the benchmarks.

// Constants of OpenSSL's headers, the same in 1.1.1 and 3.
enum {
    file_is_pem = 1,
    control_mode = 33,
    control_cache = 44,
    mode_partial_moving = 1 | 2,
    cache_off = 0,
    alpn_chosen = 0,
    alpn_ignored = 3,
    error_wants_read = 2,
    error_wants_write = 3,
    error_closed = 6
};

static const uint64_t no_tickets = 1u << 14, no_renegotiation = 1u << 30;

typedef int choose_alpn(void *, const unsigned char **, unsigned char *, const unsigned char *, unsigned int, void *);

#define FUNCTIONS(EACH) \
    EACH(void *, TLS_server_method, (void)) \
    EACH(void *, SSL_CTX_new, (void *)) \
    EACH(long, SSL_CTX_ctrl, (void *, int, long, void *)) \
    EACH(uint64_t, SSL_CTX_set_options, (void *, uint64_t)) \
    EACH(int, SSL_CTX_set_num_tickets, (void *, size_t)) \
    EACH(int, SSL_CTX_use_certificate_chain_file, (void *, const char *)) \
    EACH(int, SSL_CTX_use_PrivateKey_file, (void *, const char *, int)) \
    EACH(void, SSL_CTX_set_alpn_select_cb, (void *, choose_alpn *, void *)) \
    EACH(void *, SSL_new, (void *)) \
    EACH(void, SSL_free, (void *)) \
    EACH(int, SSL_set_fd, (void *, int)) \
    EACH(void, SSL_set_accept_state, (void *)) \
    EACH(int, SSL_read, (void *, void *, int)) \
    EACH(int, SSL_write, (void *, const void *, int)) \
    EACH(int, SSL_get_error, (void *, int)) \
    EACH(int, SSL_shutdown, (void *)) \
    EACH(int, SSL_session_reused, (void *)) \
    EACH(void, SSL_get0_alpn_selected, (void *, const unsigned char **, unsigned int *)) \
    EACH(void, ERR_clear_error, (void))

#define DECLARE(RESULT, NAME, ARGUMENTS) RESULT (*NAME) ARGUMENTS;
#define FIND(RESULT, NAME, ARGUMENTS) && (*(void **)&openssl.NAME = dlsym(library, #NAME)) != NULL

static struct { FUNCTIONS(DECLARE) } openssl;

static int find(void) {
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) { library = dlopen("libssl.so.1.1", RTLD_NOW | RTLD_LOCAL); }
    return library != NULL FUNCTIONS(FIND);
}

// Chooses the first of the server's protocols that the client offers.
static int choose(void *session, const unsigned char **chosen, unsigned char *chosen_length,
                  const unsigned char *offered, unsigned int offered_length, void *protocols) {
    const unsigned char *own = protocols;
    for (; *own != 0; own += *own + 1) {
        for (unsigned int index = 0; index < offered_length; index += offered[index] + 1u) {
            if (memcmp(offered + index, own, *own + 1u) != 0) { continue; }
            *chosen = offered + index + 1;
            *chosen_length = *own;
            return alpn_chosen;
        }
    }
    return alpn_ignored;
}

void *tls_make(const server_tls *tls) {
    static char both[] = "\2h2\10http/1.1", one[] = "\10http/1.1";
    if (!find()) { return NULL; }
    void *context = openssl.SSL_CTX_new(openssl.TLS_server_method());
    if (context == NULL || openssl.SSL_CTX_use_certificate_chain_file(context, tls->certificate) != 1
        || openssl.SSL_CTX_use_PrivateKey_file(context, tls->key, file_is_pem) != 1) {
        return NULL;
    }
    openssl.SSL_CTX_set_options(context, no_renegotiation);
    if (!tls->sends_tickets) {
        // Each connection has a full handshake then.
        openssl.SSL_CTX_set_options(context, no_tickets);
        openssl.SSL_CTX_set_num_tickets(context, 0);
    }
    openssl.SSL_CTX_ctrl(context, control_cache, cache_off, NULL);
    openssl.SSL_CTX_ctrl(context, control_mode, mode_partial_moving, NULL);
    openssl.SSL_CTX_set_alpn_select_cb(context, choose, tls->offers_http2 ? both : one);
    return context;
}

void *tls_accept(void *tls, int descriptor) {
    void *session = openssl.SSL_new(tls);
    if (session == NULL) { return NULL; }
    openssl.SSL_set_fd(session, descriptor);
    openssl.SSL_set_accept_state(session);
    return session;
}

static ssize_t result(void *session, int count) {
    if (count > 0) { return count; }
    int error = openssl.SSL_get_error(session, count);
    if (error == error_closed) { return 0; }
    errno = error == error_wants_read || error == error_wants_write ? EAGAIN : EIO;
    return -1;
}

ssize_t tls_receive(void *session, void *bytes, size_t count) {
    openssl.ERR_clear_error();
    return result(session, openssl.SSL_read(session, bytes, (int)count));
}

ssize_t tls_send(void *session, const void *bytes, size_t count) {
    openssl.ERR_clear_error();
    return result(session, openssl.SSL_write(session, bytes, (int)count));
}

int tls_has_http2(void *session) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    openssl.SSL_get0_alpn_selected(session, &name, &length);
    return length == 2;
}

int tls_is_resumed(void *session) { return openssl.SSL_session_reused(session) == 1; }

void tls_end(void *session) {
    openssl.ERR_clear_error();
    openssl.SSL_shutdown(session);
    openssl.SSL_free(session);
}

#endif
