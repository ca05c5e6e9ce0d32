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
    set_host_name = 55,
    set_lowest_version = 123,
    set_highest_version = 124,
    name_is_host = 0,
    protocol_chosen = 0,
    protocol_left_open = 3,
    error_wants_read = 2,
    error_closed = 6,
    reason_mask = 0xFFF,
    reason_untrusted = 134,
    reason_first_alert = 1000,
    reason_last_alert = 1255,
    name_as_rfc = 0x1110317
};

// No tickets before TLS 1.3 and no renegotiation: every connection has exactly one full handshake.
static const uint64_t session_options = 1u << 14 | 1u << 30;

typedef int (*choose_protocol)(
    void *, const unsigned char **, unsigned char *, const unsigned char *, unsigned int, void *);

static struct {
    void *(*client_method)(void);
    void *(*server_method)(void);
    void *(*context_new)(void *);
    void (*context_free)(void *);
    long (*context_ctrl)(void *, int, long, void *);
    uint64_t (*context_set_options)(void *, uint64_t);
    void (*context_set_security_level)(void *, int);
    int (*context_set_num_tickets)(void *, size_t);
    void (*context_set_password)(void *, void *);
    int (*context_use_certificates)(void *, const char *);
    int (*context_use_key)(void *, const char *, int);
    int (*context_load_root)(void *, const char *, const char *);
    void (*context_set_verify)(void *, int, void *);
    void (*context_set_choose_protocol)(void *, choose_protocol, void *);
    int (*context_set_protocols)(void *, const unsigned char *, unsigned int);
    void *(*new)(void *);
    void (*free)(void *);
    void (*set_bio)(void *, void *, void *);
    void (*set_accept_state)(void *);
    void (*set_connect_state)(void *);
    long (*ctrl)(void *, int, long, void *);
    int (*set_host)(void *, const char *);
    void *(*get_parameters)(void *);
    int (*do_handshake)(void *);
    int (*read)(void *, void *, int);
    int (*write)(void *, const void *, int);
    int (*shutdown)(void *);
    int (*get_error)(void *, int);
    int (*version)(void *);
    const char *(*get_server_name)(void *, int);
    void (*get_protocol)(void *, const unsigned char **, unsigned int *);
    long (*get_verify_result)(void *);
    void *(*get_peer_certificate)(void *);
    int (*parameters_set_address)(void *, const char *);
    const char *(*verify_text)(long);
    void *(*certificate_subject)(void *);
    void (*certificate_free)(void *);
    int (*name_print)(void *, void *, int, unsigned long);
    void *(*memory)(void);
    void *(*bio_new)(void *);
    int (*bio_free)(void *);
    int (*bio_read)(void *, void *, int);
    int (*bio_write)(void *, const void *, int);
    unsigned long (*next_error)(void);
    void (*clear_errors)(void);
    const char *(*error_text)(unsigned long);
} tls;

static const struct {
    void *function;
    // The second name is that of older versions.
    const char *names[2];
} functions[] = {
    {&tls.client_method, {"TLS_client_method"}},
    {&tls.server_method, {"TLS_server_method"}},
    {&tls.context_new, {"SSL_CTX_new"}},
    {&tls.context_free, {"SSL_CTX_free"}},
    {&tls.context_ctrl, {"SSL_CTX_ctrl"}},
    {&tls.context_set_options, {"SSL_CTX_set_options"}},
    {&tls.context_set_security_level, {"SSL_CTX_set_security_level"}},
    {&tls.context_set_num_tickets, {"SSL_CTX_set_num_tickets"}},
    {&tls.context_set_password, {"SSL_CTX_set_default_passwd_cb_userdata"}},
    {&tls.context_use_certificates, {"SSL_CTX_use_certificate_chain_file"}},
    {&tls.context_use_key, {"SSL_CTX_use_PrivateKey_file"}},
    {&tls.context_load_root, {"SSL_CTX_load_verify_locations"}},
    {&tls.context_set_verify, {"SSL_CTX_set_verify"}},
    {&tls.context_set_choose_protocol, {"SSL_CTX_set_alpn_select_cb"}},
    {&tls.context_set_protocols, {"SSL_CTX_set_alpn_protos"}},
    {&tls.new, {"SSL_new"}},
    {&tls.free, {"SSL_free"}},
    {&tls.set_bio, {"SSL_set_bio"}},
    {&tls.set_accept_state, {"SSL_set_accept_state"}},
    {&tls.set_connect_state, {"SSL_set_connect_state"}},
    {&tls.ctrl, {"SSL_ctrl"}},
    {&tls.set_host, {"SSL_set1_host"}},
    {&tls.get_parameters, {"SSL_get0_param"}},
    {&tls.do_handshake, {"SSL_do_handshake"}},
    {&tls.read, {"SSL_read"}},
    {&tls.write, {"SSL_write"}},
    {&tls.shutdown, {"SSL_shutdown"}},
    {&tls.get_error, {"SSL_get_error"}},
    {&tls.version, {"SSL_version"}},
    {&tls.get_server_name, {"SSL_get_servername"}},
    {&tls.get_protocol, {"SSL_get0_alpn_selected"}},
    {&tls.get_verify_result, {"SSL_get_verify_result"}},
    {&tls.get_peer_certificate, {"SSL_get1_peer_certificate", "SSL_get_peer_certificate"}},
    {&tls.parameters_set_address, {"X509_VERIFY_PARAM_set1_ip_asc"}},
    {&tls.verify_text, {"X509_verify_cert_error_string"}},
    {&tls.certificate_subject, {"X509_get_subject_name"}},
    {&tls.certificate_free, {"X509_free"}},
    {&tls.name_print, {"X509_NAME_print_ex"}},
    {&tls.memory, {"BIO_s_mem"}},
    {&tls.bio_new, {"BIO_new"}},
    {&tls.bio_free, {"BIO_free"}},
    {&tls.bio_read, {"BIO_read"}},
    {&tls.bio_write, {"BIO_write"}},
    {&tls.next_error, {"ERR_get_error"}},
    {&tls.clear_errors, {"ERR_clear_error"}},
    {&tls.error_text, {"ERR_reason_error_string"}},
};

static int is_loaded = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Prefers the copy that libcurl may have loaded into the process.
static void *open_library(void) {
    const int modes[] = {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL};
    for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
        for (const char *const *name = library_names; *name != NULL; name++) {
            void *library = dlopen(*name, modes[mode]);
            if (library != NULL) { return library; }
        }
    }
    return NULL;
}

// Finds libcrypto's functions as well, in the copy that libssl uses.
static void load(void) {
    void *library = open_library();
    if (library == NULL) { return; }
    for (size_t each = 0; each < sizeof functions / sizeof *functions; each++) {
        void *function = dlsym(library, functions[each].names[0]);
        if (function == NULL && functions[each].names[1] != NULL) {
            function = dlsym(library, functions[each].names[1]);
        }
        if (function == NULL) { return; }
        memcpy(functions[each].function, &function, sizeof function);
    }
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

static void describe_failure(void *ssl, ctls_failure *failure) {
    unsigned long error = tls.next_error();
    int reason = (int)(error & reason_mask);
    const char *text = error != 0 ? tls.error_text(error) : NULL;
    *failure = (ctls_failure){-1, 0, text != NULL ? text : "unknown"};
    if (ssl == NULL) { return; }
    if (reason >= reason_first_alert && reason <= reason_last_alert) {
        failure->alert = reason - reason_first_alert;
    } else if (reason == reason_untrusted) {
        failure->untrusted = (int)tls.get_verify_result(ssl);
        failure->reason = tls.verify_text(failure->untrusted);
    }
}

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

static void *make_context(const ctls_options *options, unsigned char *protocol) {
    void *context = tls.context_new(options->is_server ? tls.server_method() : tls.client_method());
    if (context == NULL) { return NULL; }
    // Higher security levels exclude versions before TLS 1.2.
    tls.context_set_security_level(context, 0);
    tls.context_set_options(context, session_options);
    // Never NULL, otherwise the library prompts for a password on the terminal.
    tls.context_set_password(context, (void *)(options->password != NULL ? options->password : ""));
    int is_well = tls.context_ctrl(context, set_lowest_version, options->lowest_version, NULL) == 1
        && tls.context_ctrl(context, set_highest_version, options->highest_version, NULL) == 1
        && tls.context_set_num_tickets(context, 0) == 1;
    if (options->certificates != NULL) {
        is_well = is_well && tls.context_use_certificates(context, options->certificates) == 1
            && tls.context_use_key(context, options->key, file_is_pem) == 1;
    }
    if (options->root != NULL) {
        is_well = is_well && tls.context_load_root(context, options->root, NULL) == 1;
        tls.context_set_verify(
            context, options->requires_certificate ? verify_peer | verify_required : verify_peer, NULL);
    } else {
        tls.context_set_verify(context, verify_none, NULL);
    }
    if (options->is_server) {
        tls.context_set_choose_protocol(context, choose_own_protocol, protocol);
    } else {
        is_well = is_well && tls.context_set_protocols(context, protocol, 1u + protocol[0]) == 0;
    }
    if (is_well) { return context; }
    tls.context_free(context);
    return NULL;
}

// An address is checked, but not sent as a server name (RFC 6066, section 3).
static int set_host(void *ssl, const char *host) {
    if (tls.parameters_set_address(tls.get_parameters(ssl), host) == 1) { return 1; }
    tls.clear_errors();
    return tls.set_host(ssl, host) == 1 && tls.ctrl(ssl, set_host_name, name_is_host, (void *)host) == 1;
}

static int prepare(ctls_session *session, const ctls_options *options) {
    session->incoming = tls.bio_new(tls.memory());
    session->outgoing = tls.bio_new(tls.memory());
    if (session->incoming == NULL || session->outgoing == NULL) {
        tls.bio_free(session->incoming);
        tls.bio_free(session->outgoing);
        return 0;
    }
    tls.set_bio(session->ssl, session->incoming, session->outgoing);
    (options->is_server ? tls.set_accept_state : tls.set_connect_state)(session->ssl);
    return options->is_server || options->host == NULL || set_host(session->ssl, options->host);
}

ctls_session *ctls_session_make(const ctls_options *options, ctls_failure *failure) {
    tls.clear_errors();
    ctls_session *session = calloc(1, sizeof *session);
    void *context = NULL;
    if (session != NULL) {
        session->protocol[0] = (unsigned char)strnlen(options->application_protocol, sizeof session->protocol - 1);
        memcpy(session->protocol + 1, options->application_protocol, session->protocol[0]);
        context = make_context(options, session->protocol);
    }
    if (context != NULL) {
        session->ssl = tls.new(context);
        tls.context_free(context);
        if (session->ssl != NULL && prepare(session, options)) { return session; }
    }
    describe_failure(NULL, failure);
    ctls_session_free(session);
    return NULL;
}

void ctls_session_free(ctls_session *session) {
    if (session != NULL && session->ssl != NULL) { tls.free(session->ssl); }
    free(session);
}

static ctls_progress progress(ctls_session *session, int result, ctls_failure *failure) {
    if (result > 0) { return CTLS_DONE; }
    switch (tls.get_error(session->ssl, result)) {
    case error_wants_read: return CTLS_NEEDS_BYTES;
    case error_closed: return CTLS_CLOSED;
    default: describe_failure(session->ssl, failure); return CTLS_FAILED;
    }
}

ctls_progress ctls_session_shake_hands(ctls_session *session, ctls_failure *failure) {
    tls.clear_errors();
    return progress(session, tls.do_handshake(session->ssl), failure);
}

ctls_progress ctls_session_read(
    ctls_session *session, void *buffer, size_t size, size_t *count, ctls_failure *failure) {
    tls.clear_errors();
    int result = tls.read(session->ssl, buffer, size < INT_MAX ? (int)size : INT_MAX);
    *count = result > 0 ? (size_t)result : 0;
    return progress(session, result, failure);
}

ctls_progress ctls_session_write(ctls_session *session, const void *bytes, size_t count, ctls_failure *failure) {
    const char *rest = bytes;
    tls.clear_errors();
    while (count > 0) {
        int result = tls.write(session->ssl, rest, count < INT_MAX ? (int)count : INT_MAX);
        if (result <= 0) { return progress(session, result, failure); }
        rest += result;
        count -= (size_t)result;
    }
    return CTLS_DONE;
}

void ctls_session_close(ctls_session *session) {
    tls.clear_errors();
    tls.shutdown(session->ssl);
    tls.clear_errors();
}

void ctls_session_put_received(ctls_session *session, const void *bytes, size_t count) {
    const char *rest = bytes;
    while (count > 0) {
        int result = tls.bio_write(session->incoming, rest, count < INT_MAX ? (int)count : INT_MAX);
        if (result <= 0) { return; }
        rest += result;
        count -= (size_t)result;
    }
}

size_t ctls_session_take_outgoing(ctls_session *session, void *buffer, size_t size) {
    int result = tls.bio_read(session->outgoing, buffer, size < INT_MAX ? (int)size : INT_MAX);
    return result > 0 ? (size_t)result : 0;
}

int ctls_session_version(ctls_session *session) { return tls.version(session->ssl); }

const char *ctls_session_server_name(ctls_session *session) {
    return tls.get_server_name(session->ssl, name_is_host);
}

void ctls_session_application_protocol(ctls_session *session, const unsigned char **name, unsigned int *length) {
    tls.get_protocol(session->ssl, name, length);
}

void ctls_session_peer_subject(ctls_session *session, char *buffer, int size) {
    int length = 0;
    void *certificate = tls.get_peer_certificate(session->ssl);
    void *text = certificate != NULL ? tls.bio_new(tls.memory()) : NULL;
    if (text != NULL && tls.name_print(text, tls.certificate_subject(certificate), 0, name_as_rfc) >= 0) {
        length = tls.bio_read(text, buffer, size - 1);
    }
    buffer[length > 0 ? length : 0] = 0;
    tls.bio_free(text);
    tls.certificate_free(certificate);
    tls.clear_errors();
}
