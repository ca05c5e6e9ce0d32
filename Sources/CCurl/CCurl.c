#if defined(__linux__)
#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const unsigned int oldest_version = 0x074C01;

static const char *const library_names[] = {"libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"};

// The options and infos that only this file uses.
enum {
    CURLOPT_WRITEDATA = 10001,
    CURLOPT_READDATA = 10009,
    CURLOPT_HEADERDATA = 10029,
    CURLOPT_PRIVATE = 10103,
    CURLOPT_OPENSOCKETDATA = 10164,
    CURLOPT_SEEKDATA = 10168,
    CURLOPT_RESOLVER_START_DATA = 10273,
    CURLOPT_PREREQDATA = 10313,
    CURLOPT_WRITEFUNCTION = 20011,
    CURLOPT_READFUNCTION = 20012,
    CURLOPT_HEADERFUNCTION = 20079,
    CURLOPT_OPENSOCKETFUNCTION = 20163,
    CURLOPT_CLOSESOCKETFUNCTION = 20208,
    CURLOPT_SEEKFUNCTION = 20167,
    CURLOPT_RESOLVER_START_FUNCTION = 20272,
    CURLOPT_PREREQFUNCTION = 20312,
    CURLSHOPT_SHARE = 1,
    CURL_LOCK_DATA_SSL_SESSION = 4,
    CURLMOPT_SOCKETDATA = 10002,
    CURLMOPT_TIMERDATA = 10005,
    CURLMOPT_SOCKETFUNCTION = 20001,
    CURLMOPT_TIMERFUNCTION = 20004,
    CURLINFO_PRIVATE = 0x100015,
    CURLINFO_PRIMARY_IP = 0x100020,
    CURLINFO_PRIMARY_PORT = 0x200028,
    CURLINFO_LOCAL_PORT = 0x20002A,
    CURLINFO_TLS_SSL_PTR = 0x40002D,
    CURLSSLBACKEND_OPENSSL = 1,
    CURLMSG_DONE = 1,
    CURL_GLOBAL_ALL = 3,
    CURLUPART_URL = 0,
    CURLU_NON_SUPPORT_SCHEME = 1 << 3,
    CURLU_PATH_AS_IS = 1 << 4
};

// The first members of `curl_version_info_data`, which libcurl only ever extends at its end.
struct version_info {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
    const char *tls_library;
    long tls_number;
    const char *zlib;
    const char *const *protocols;
    const char *ares;
    int ares_number;
    const char *idn;
    int iconv_number;
    const char *ssh;
    unsigned int brotli_number;
    const char *brotli;
    unsigned int http2_number;
    const char *http2;
    const char *quic_library;
};

// The same members as `CURLMsg` of libcurl.
struct message {
    int message;
    void *easy;
    union {
        void *other;
        int result;
    } data;
};

static struct {
    int (*global_init)(long);
    struct version_info *(*version_info)(int);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    void (*easy_reset)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    int (*easy_pause)(void *, int);
    void *(*slist_append)(void *, const char *);
    void (*slist_free_all)(void *);
    void *(*url)(void);
    void (*url_cleanup)(void *);
    int (*url_set)(void *, int, const char *, unsigned int);
    void *(*share_init)(void);
    int (*share_cleanup)(void *);
    int (*share_setopt)(void *, int, ...);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_socket_action)(void *, int, int, int *);
    struct message *(*multi_info_read)(void *, int *);
} curl;

// The names of all functions. `version_info` is the first, since it is called even if another function is missing.
#define FUNCTIONS(do) \
    do(version_info) do(global_init) do(easy_init) do(easy_cleanup) do(easy_reset) do(easy_setopt) do(easy_getinfo) \
    do(easy_pause) do(slist_append) do(slist_free_all) do(url) do(url_cleanup) do(url_set) do(share_init) \
    do(share_cleanup) do(share_setopt) do(multi_init) do(multi_cleanup) do(multi_add_handle) \
    do(multi_remove_handle) do(multi_setopt) do(multi_socket_action) do(multi_info_read)

// NULL unless the program is linked with libcurl. A statically linked program has to be, since it cannot open libraries.
#define DECLARE(name) extern void curl_##name(void) __attribute__((weak));
FUNCTIONS(DECLARE)
extern int OPENSSL_init_crypto(uint64_t options, const void *settings) __attribute__((weak));
extern void SSL_get0_alpn_selected(const void *ssl, const unsigned char **name, unsigned int *length) __attribute__((weak));
extern int SSL_has_pending(const void *ssl) __attribute__((weak));

static ccurl_status status = CCURL_NOT_FOUND;
static struct version_info *info = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Whether writing to a lost connection may raise SIGPIPE: up to 7.86 OpenSSL writes to the socket itself, without
// MSG_NOSIGNAL.
static int may_raise_signals = 0;

// Prefers the libcurl that FoundationNetworking has loaded into the process.
static void *open_library(void) {
    const int modes[] = {RTLD_NOW | RTLD_NOLOAD, RTLD_NOW | RTLD_LOCAL};
    for (size_t mode = 0; mode < sizeof modes / sizeof *modes; mode++) {
        for (size_t name = 0; name < sizeof library_names / sizeof *library_names; name++) {
            void *library = dlopen(library_names[name], modes[mode]);
            if (library != NULL) { return library; }
        }
    }
    return NULL;
}

#define IS_LINKED(name) && curl_##name != NULL
#define TAKE_LINKED(name) *(void **)&curl.name = (void *)curl_##name;
#define IS_FOUND(name) && (*(void **)&curl.name = dlsym(library, "curl_" #name)) != NULL

typedef int init_crypto(uint64_t, const void *);

// By default, OpenSSL frees its state when the process begins to exit, while the threads of engines may still use that
// state to close connections, or for transfers in flight. With the option `OPENSSL_INIT_NO_ATEXIT` (since 1.1.1b), it
// frees nothing, and the system reclaims the memory. The option applies to the whole process, but has no effect if
// OpenSSL is initialised already.
static void keep_openssl(init_crypto *linked, void *library) {
    init_crypto *init = linked;
    // Also searches the libraries that libcurl was linked with.
    if (init == NULL) { *(void **)&init = dlsym(library, "OPENSSL_init_crypto"); }
    if (init != NULL) { init(0x80000, NULL); }
}

static struct {
    void (*selected_protocol)(const void *, const unsigned char **, unsigned int *);
    int (*has_pending)(const void *);
} openssl;

static ccurl_status find_all(void) {
    if (1 FUNCTIONS(IS_LINKED)) {
        FUNCTIONS(TAKE_LINKED)
        keep_openssl(OPENSSL_init_crypto, RTLD_DEFAULT);
        openssl.selected_protocol = SSL_get0_alpn_selected;
        openssl.has_pending = SSL_has_pending;
        return CCURL_LOADED;
    }
    void *library = open_library();
    if (library == NULL) { return CCURL_NOT_FOUND; }
    keep_openssl(NULL, library);
    *(void **)&openssl.selected_protocol = dlsym(library, "SSL_get0_alpn_selected");
    *(void **)&openssl.has_pending = dlsym(library, "SSL_has_pending");
    return 1 FUNCTIONS(IS_FOUND) ? CCURL_LOADED : CCURL_INCOMPLETE;
}

static unsigned int fork_count = 0;

static void count_fork(void) { fork_count++; }

unsigned int ccurl_fork_count(void) { return fork_count; }

static void load(void) {
    pthread_atfork(NULL, NULL, count_fork);
    status = find_all();
    if (curl.version_info != NULL) { info = curl.version_info(0); }
    if (info != NULL && info->version_number < oldest_version) {
        status = CCURL_TOO_OLD;
    } else if (status == CCURL_LOADED) {
        may_raise_signals = info != NULL && info->version_number < 0x075700;
        if (info == NULL || curl.global_init(CURL_GLOBAL_ALL) != 0) { status = CCURL_REFUSED; }
    }
}

ccurl_status ccurl_load(void) {
    pthread_once(&once, load);
    return status;
}

const char *ccurl_version(void) { return info != NULL && info->version != NULL ? info->version : ""; }

unsigned int ccurl_version_number(void) { return info != NULL ? info->version_number : 0; }

const char *ccurl_tls_library(void) {
    return info != NULL && info->tls_library != NULL ? info->tls_library : "";
}

const char *ccurl_quic_library(void) {
    return info != NULL && info->quic_library != NULL ? info->quic_library : "";
}

int ccurl_has_feature(int feature) { return info != NULL && (info->features & feature) != 0; }

// Called before and after each call that may write to a connection. SIGPIPE goes to the thread that writes: while it is
// blocked there, it stays pending, and it is removed afterwards. The process's handling of signals is unchanged.
typedef struct {
    sigset_t earlier;
    int is_blocked;
} signal_guard;

static signal_guard block_signal(void) {
    signal_guard guard = {.is_blocked = 0};
    if (!may_raise_signals) { return guard; }
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    // If the thread already blocks the signal, a pending signal may be its own, and is left alone.
    guard.is_blocked = pthread_sigmask(SIG_BLOCK, &pipes, &guard.earlier) == 0 && !sigismember(&guard.earlier, SIGPIPE);
    return guard;
}

static void unblock_signal(signal_guard guard) {
    if (!guard.is_blocked) { return; }
    int earlier_error = errno;
    sigset_t pipes;
    sigemptyset(&pipes);
    sigaddset(&pipes, SIGPIPE);
    const struct timespec no_time = {0, 0};
    while (sigtimedwait(&pipes, NULL, &no_time) < 0 && errno == EINTR) {}
    pthread_sigmask(SIG_SETMASK, &guard.earlier, NULL);
    errno = earlier_error;
}

#define GUARDED(call) \
    signal_guard guard = block_signal(); \
    int result = call; \
    unblock_signal(guard); \
    return result

ccurl_easy *ccurl_easy_init(void) { return curl.easy_init(); }

void ccurl_easy_cleanup(ccurl_easy *easy) {
    signal_guard guard = block_signal();
    curl.easy_cleanup(easy);
    unblock_signal(guard);
}

void ccurl_easy_reset(ccurl_easy *easy) { curl.easy_reset(easy); }

ccurl_code ccurl_easy_setopt_long(ccurl_easy *easy, ccurl_option_long option, long value) {
    return curl.easy_setopt(easy, option, value);
}

ccurl_code ccurl_easy_setopt_string(ccurl_easy *easy, ccurl_option_string option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

ccurl_code ccurl_easy_setopt_object(ccurl_easy *easy, ccurl_option_object option, const void *value) {
    return curl.easy_setopt(easy, option, value);
}

ccurl_code ccurl_easy_setopt_off_t(ccurl_easy *easy, ccurl_option_off_t option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}

void ccurl_easy_set_callbacks(
    ccurl_easy *easy, void *context, ccurl_data_callback header, ccurl_data_callback write, ccurl_prereq_callback prereq,
    ccurl_data_callback read, ccurl_seek_callback seek) {
    curl.easy_setopt(easy, CURLOPT_PRIVATE, context);
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, write);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
    curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, prereq);
    curl.easy_setopt(easy, CURLOPT_PREREQDATA, context);
    if (read == NULL) { return; }
    curl.easy_setopt(easy, CURLOPT_READFUNCTION, read);
    curl.easy_setopt(easy, CURLOPT_READDATA, context);
    curl.easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek);
    curl.easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

void *ccurl_easy_context(ccurl_easy *easy) {
    void *context = NULL;
    return easy != NULL && curl.easy_getinfo(easy, CURLINFO_PRIVATE, &context) == 0 ? context : NULL;
}

// The same members as `curl_tlssessioninfo` of libcurl.
struct session {
    int backend;
    void *internals;
};

const void *ccurl_easy_ssl(ccurl_easy *easy) {
    struct session *session = NULL;
    if (curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session) != 0 || session == NULL) { return NULL; }
    return session->backend == CURLSSLBACKEND_OPENSSL ? session->internals : NULL;
}

int ccurl_ssl_uses_http2(const void *ssl) {
    const unsigned char *name = NULL;
    unsigned int length = 0;
    if (openssl.selected_protocol == NULL || ssl == NULL) { return 0; }
    openssl.selected_protocol(ssl, &name, &length);
    return length == 2 && name[0] == 'h' && name[1] == '2';
}

int ccurl_ssl_has_unread(const void *ssl) { return openssl.has_pending != NULL && ssl != NULL && openssl.has_pending(ssl); }

ccurl_slist *ccurl_slist_append(ccurl_slist *list, const char *text) { return curl.slist_append(list, text); }

void ccurl_slist_free_all(ccurl_slist *list) { curl.slist_free_all(list); }

ccurl_url *ccurl_url_init(void) { return curl.url(); }

void ccurl_url_cleanup(ccurl_url *url) { curl.url_cleanup(url); }

int ccurl_url_parse(ccurl_url *url, const char *text) {
    return curl.url_set(url, CURLUPART_URL, text, CURLU_NON_SUPPORT_SCHEME | CURLU_PATH_AS_IS);
}

ccurl_connection ccurl_easy_connection(ccurl_easy *easy, int *own_port) {
    long local = 0, port = 0;
    const char *address = NULL;
    curl.easy_getinfo(easy, CURLINFO_PRIMARY_IP, &address);
    curl.easy_getinfo(easy, CURLINFO_PRIMARY_PORT, &port);
    curl.easy_getinfo(easy, CURLINFO_LOCAL_PORT, &local);
    *own_port = (int)local;
    return ccurl_connection_between(address != NULL ? address : "", (int)port, (int)local);
}

ccurl_connection ccurl_connection_between(const char *address, int port, int own_port) {
    uint64_t hash = 0xCBF29CE484222325;
    for (; *address != 0; address++) { hash = (hash ^ (unsigned char)*address) * 0x100000001B3; }
    return hash ^ ((uint64_t)(uint16_t)port << 48) ^ ((uint64_t)(uint16_t)own_port << 32);
}

ccurl_code ccurl_easy_pause(ccurl_easy *easy, ccurl_pause pause) { GUARDED(curl.easy_pause(easy, (int)pause)); }

// The first members of libcurl's `struct curl_sockaddr`.
struct socket_address {
    int family;
    int type;
    int protocol;
};

static int report(const ccurl_connecting *connecting, int has_address) {
    void *context = ccurl_easy_context(connecting->easy);
    return context == NULL ? 0 : connecting->connects(context, has_address);
}

int ccurl_descriptor_limit(void) {
    struct rlimit limit;
    int is_known = getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < INT_MAX;
    return is_known ? (int)limit.rlim_cur : INT_MAX;
}

// Returns 0, or EMFILE for one of the last descriptors that the process can have, which are left to its other code: Dispatch
// ends a process that has no descriptor left. The system always gives the lowest free descriptor.
static int check_descriptor(int descriptor) {
    int limit = ccurl_descriptor_limit();
    int reserve = limit / 8 < 64 ? limit / 8 : 64;
    return descriptor < limit - reserve ? 0 : EMFILE;
}

// Opens a socket that child processes do not inherit, as libcurl itself does since 8.19.
static int open_socket(void *memory, int purpose, struct socket_address *address) {
    (void)purpose;
    ccurl_connecting *connecting = memory;
    // The transfer may have been abandoned before it had a socket.
    if (report(connecting, 1) != 0 || connecting->error == ECANCELED) { return -1; }
    int made = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    connecting->error = made < 0 ? errno : check_descriptor(made);
    if (made >= 0 && connecting->error == 0) { connecting->opens(ccurl_easy_context(connecting->easy), made); }
    if (made < 0 || connecting->error == 0) { return made; }
    close(made);
    return -1;
}

// A look-up needs descriptors too.
static int begin_look_up(void *resolver, void *reserved, void *memory) {
    (void)resolver;
    (void)reserved;
    ccurl_connecting *connecting = memory;
    int unused = epoll_create1(EPOLL_CLOEXEC);
    connecting->error = unused < 0 ? errno : check_descriptor(unused);
    if (unused >= 0) { close(unused); }
    return connecting->error != 0 || report(connecting, 0);
}

void ccurl_easy_set_connecting(ccurl_easy *easy, ccurl_connecting *connecting) {
    connecting->easy = easy;
    curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, connecting);
    curl.easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, connecting->closes);
    curl.easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, begin_look_up);
    curl.easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, connecting);
}

int ccurl_has_descriptors(int count) {
    int made = epoll_create1(EPOLL_CLOEXEC);
    if (made < 0) { return errno != EMFILE && errno != ENFILE; }
    int has_others = check_descriptor(made) == 0 && (count <= 1 || ccurl_has_descriptors(count - 1));
    close(made);
    return has_others;
}

long ccurl_easy_getinfo_long(ccurl_easy *easy, ccurl_info_long info) {
    long value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

int64_t ccurl_easy_getinfo_off_t(ccurl_easy *easy, ccurl_info_off_t info) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : 0;
}

const char *ccurl_easy_getinfo_string(ccurl_easy *easy, ccurl_info_string info) {
    const char *value = NULL;
    return curl.easy_getinfo(easy, info, &value) == 0 ? value : NULL;
}

ccurl_share *ccurl_share_init(void) {
    void *share = curl.share_init();
    // Without TLS in libcurl, there is nothing to share.
    if (share != NULL) { curl.share_setopt(share, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION); }
    return share;
}

int ccurl_share_cleanup(ccurl_share *share) { return curl.share_cleanup(share); }

enum { most_descriptors = 16, highest_descriptor = 1 << 16 };

// A multi handle wakes itself through a pipe or a pair of sockets. Before libcurl 8.10, child processes inherited them, so
// they get the close-on-exec flag here: they have the lowest descriptors that were free before. A descriptor that another
// thread opens at the same moment gets the flag too. That is harmless: code that passes a descriptor to a child clears it.
ccurl_multi *ccurl_multi_init(void) {
    if (!ccurl_has_descriptors(2)) { return NULL; }
    int unused[most_descriptors];
    int count = 0;
    for (int number = 0; count < most_descriptors && number < highest_descriptor; number++) {
        if (fcntl(number, F_GETFD) < 0) { unused[count++] = number; }
    }
    ccurl_multi *multi = curl.multi_init();
    for (int index = 0; index < count; index++) {
        int flags = fcntl(unused[index], F_GETFD);
        if (flags >= 0 && !(flags & FD_CLOEXEC)) { fcntl(unused[index], F_SETFD, flags | FD_CLOEXEC); }
    }
    return multi;
}

int ccurl_multi_cleanup(ccurl_multi *multi) { GUARDED(curl.multi_cleanup(multi)); }

int ccurl_multi_add_handle(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }

int ccurl_multi_remove_handle(ccurl_multi *multi, ccurl_easy *easy) {
    GUARDED(curl.multi_remove_handle(multi, easy));
}

int ccurl_multi_setopt_long(ccurl_multi *multi, ccurl_multi_option option, long value) {
    return curl.multi_setopt(multi, option, value);
}

void ccurl_multi_set_callbacks(
    ccurl_multi *multi, void *context, ccurl_socket_callback socket, ccurl_timer_callback timer) {
    curl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
    curl.multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
    curl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
    curl.multi_setopt(multi, CURLMOPT_TIMERDATA, context);
}

int ccurl_multi_socket_action(ccurl_multi *multi, int socket, int events) {
    int running = 0;
    GUARDED(curl.multi_socket_action(multi, socket, events, &running));
}

int ccurl_multi_next_finished(ccurl_multi *multi, ccurl_easy **easy, void **context, ccurl_code *result) {
    struct message *message;
    int remaining = 0;
    while ((message = curl.multi_info_read(multi, &remaining)) != NULL) {
        if (message->message != CURLMSG_DONE) { continue; }
        *easy = message->easy;
        *result = message->data.result;
        *context = ccurl_easy_context(message->easy);
        return 1;
    }
    return 0;
}
#endif
