#if defined(__linux__)
#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const unsigned int oldest_version = 0x074C01;

static const char *const library_names[] = {"libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"};

enum {
    option_write_context = 10001,
    option_read_context = 10009,
    option_error_buffer = 10010,
    option_socket_context = 10164,
    option_header_context = 10029,
    option_owner = 10103,
    option_seek_context = 10168,
    option_parsed_url = 10282,
    option_connection_context = 10313,
    option_write_function = 20011,
    option_read_function = 20012,
    option_header_function = 20079,
    option_socket_function = 20163,
    option_seek_function = 20167,
    option_connection_function = 20312,
    multi_option_socket_context = 10002,
    multi_option_timer_context = 10005,
    multi_option_socket_function = 20001,
    multi_option_timer_function = 20004,
    info_owner = 0x100015,
    info_address = 0x100020,
    info_port = 0x200028,
    info_own_port = 0x20002A,
    info_protocol = 0x200030,
    info_socket = 0x50002C,
    message_done = 1,
    global_all = 3,
    url_whole = 0,
    url_any_scheme = 1 << 3,
    url_path_as_is = 1 << 4
};

// The beginning of the structure that curl_version_info returns, which is only ever extended at its end.
struct version_info {
    int age;
    const char *version;
    unsigned int version_number;
    const char *host;
    int features;
};

struct finished_message {
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
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_socket_action)(void *, int, int, int *);
    struct finished_message *(*multi_info_read)(void *, int *);
} curl;

// All of them; version_info is the first, since it is asked before the others are known to be there.
#define FUNCTIONS(do) \
    do(version_info) do(global_init) do(easy_init) do(easy_cleanup) do(easy_reset) do(easy_setopt) do(easy_getinfo) \
    do(easy_pause) do(slist_append) do(slist_free_all) do(url) do(url_cleanup) do(url_set) do(multi_init) \
    do(multi_cleanup) do(multi_add_handle) do(multi_remove_handle) do(multi_setopt) do(multi_socket_action) \
    do(multi_info_read)

// Not NULL where the program is linked with libcurl, as a statically linked one is, which cannot open libraries.
#define DECLARE(name) extern void curl_##name(void) __attribute__((weak));
FUNCTIONS(DECLARE)

static ccurl_status status = CCURL_NOT_FOUND;
static struct version_info *info = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// Whether libcurl writes to connections in a way by which a peer that is gone ends the process: up to 7.86 OpenSSL does
// that itself, and does not ask for EPIPE in place of the signal.
static int may_raise_signals = 0;

// FoundationNetworking brings the library into the process; that copy comes first.
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

static ccurl_status find_all(void) {
    if (1 FUNCTIONS(IS_LINKED)) {
        FUNCTIONS(TAKE_LINKED)
        return CCURL_LOADED;
    }
    void *library = open_library();
    if (library == NULL) { return CCURL_NOT_FOUND; }
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
        if (info == NULL || curl.global_init(global_all) != 0) { status = CCURL_REFUSED; }
    }
}

ccurl_status ccurl_load(void) {
    pthread_once(&once, load);
    return status;
}

const char *ccurl_version(void) { return info != NULL && info->version != NULL ? info->version : ""; }

unsigned int ccurl_version_number(void) { return info != NULL ? info->version_number : 0; }

int ccurl_has_feature(ccurl_feature feature) {
    return info != NULL && (info->features & (int)feature) != 0;
}

// Whatever may write to a connection stands between these two. The signal is sent to the thread that writes, where it
// waits while it is blocked, and is taken back; what the process does with signals stays as it is.
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
    // A thread that blocks it by itself keeps what waits for it.
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

ccurl_easy *ccurl_easy_make(void) { return curl.easy_init(); }

void ccurl_easy_free(ccurl_easy *easy) {
    signal_guard guard = block_signal();
    curl.easy_cleanup(easy);
    unblock_signal(guard);
}

void ccurl_easy_reset(ccurl_easy *easy) { curl.easy_reset(easy); }

int ccurl_easy_set_number(ccurl_easy *easy, ccurl_option option, long value) { return curl.easy_setopt(easy, option, value); }

int ccurl_easy_set_offset(ccurl_easy *easy, ccurl_option option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_text(ccurl_easy *easy, ccurl_option option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_url(ccurl_easy *easy, const ccurl_url *url) { return curl.easy_setopt(easy, option_parsed_url, url); }

ccurl_url *ccurl_url_make(void) { return curl.url(); }

void ccurl_url_free(ccurl_url *url) { curl.url_cleanup(url); }

int ccurl_url_parse(ccurl_url *url, const char *text) {
    return curl.url_set(url, url_whole, text, url_any_scheme | url_path_as_is);
}

int ccurl_easy_set_list(ccurl_easy *easy, ccurl_option option, const ccurl_list *value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_owner(ccurl_easy *easy, void *owner) { return curl.easy_setopt(easy, option_owner, owner); }

void *ccurl_easy_owner(ccurl_easy *easy) {
    void *owner = NULL;
    return easy != NULL && curl.easy_getinfo(easy, info_owner, &owner) == 0 ? owner : NULL;
}

int ccurl_easy_set_header_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context) {
    int result = curl.easy_setopt(easy, option_header_function, callback);
    return result != 0 ? result : curl.easy_setopt(easy, option_header_context, context);
}

int ccurl_easy_set_write_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context) {
    int result = curl.easy_setopt(easy, option_write_function, callback);
    return result != 0 ? result : curl.easy_setopt(easy, option_write_context, context);
}

int ccurl_easy_set_read_callback(
    ccurl_easy *easy, ccurl_bytes_callback callback, ccurl_seek_callback seek, void *context) {
    int result = curl.easy_setopt(easy, option_read_function, callback);
    if (result == 0) { result = curl.easy_setopt(easy, option_read_context, context); }
    if (result == 0) { result = curl.easy_setopt(easy, option_seek_function, seek); }
    return result != 0 ? result : curl.easy_setopt(easy, option_seek_context, context);
}

int ccurl_easy_set_connection_callback(ccurl_easy *easy, ccurl_connection_callback callback, void *context) {
    int result = curl.easy_setopt(easy, option_connection_function, callback);
    return result != 0 ? result : curl.easy_setopt(easy, option_connection_context, context);
}

int ccurl_easy_socket(ccurl_easy *easy, ccurl_connection *connection) {
    long protocol = 0, own_port = 0, port = 0;
    const char *address = NULL;
    int socket = -1;
    curl.easy_getinfo(easy, info_protocol, &protocol);
    if (protocol != CCURL_PROTOCOL_HTTP) { return -1; }
    curl.easy_getinfo(easy, info_address, &address);
    curl.easy_getinfo(easy, info_port, &port);
    curl.easy_getinfo(easy, info_own_port, &own_port);
    if (address == NULL || curl.easy_getinfo(easy, info_socket, &socket) != 0) { return -1; }
    *connection = ccurl_connection_between(address, (int)port, (int)own_port);
    return socket;
}

ccurl_connection ccurl_connection_between(const char *address, int port, int own_port) {
    uint64_t hash = 0xCBF29CE484222325;
    for (; *address != 0; address++) { hash = (hash ^ (unsigned char)*address) * 0x100000001B3; }
    return hash ^ ((uint64_t)(uint16_t)port << 48) ^ ((uint64_t)(uint16_t)own_port << 32);
}

int ccurl_socket_empty(int socket) {
    char bytes[4096];
    if (recv(socket, bytes, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) { return 0; }
    // Ended as well, so that libcurl finds it dead when it comes by again.
    shutdown(socket, SHUT_RDWR);
    while (recv(socket, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {}
    return 1;
}

int ccurl_easy_go_on(ccurl_easy *easy) { GUARDED(curl.easy_pause(easy, 0)); }

// The beginning of the structure that the callback is given.
struct socket_address {
    int family;
    int type;
    int protocol;
};

// Descriptors that children do not inherit: libcurl's own ask for that from 8.19 on only.
static int open_socket(void *error, int purpose, struct socket_address *address) {
    (void)purpose;
    // The transfer was given up before it had a socket.
    if (*(int *)error == ECANCELED) { return -1; }
    int made = socket(address->family, address->type | SOCK_CLOEXEC, address->protocol);
    if (made < 0) { *(int *)error = errno; }
    return made;
}

int ccurl_easy_set_socket_error(ccurl_easy *easy, int *error) {
    int result = curl.easy_setopt(easy, option_socket_function, open_socket);
    return result != 0 ? result : curl.easy_setopt(easy, option_socket_context, error);
}

int ccurl_has_descriptors(void) {
    int made = epoll_create1(EPOLL_CLOEXEC);
    if (made >= 0) { close(made); }
    return made >= 0 || (errno != EMFILE && errno != ENFILE);
}

int ccurl_easy_set_error_buffer(ccurl_easy *easy, char *buffer) {
    return curl.easy_setopt(easy, option_error_buffer, buffer);
}

long ccurl_easy_number(ccurl_easy *easy, ccurl_info what) {
    long value = 0;
    return curl.easy_getinfo(easy, what, &value) == 0 ? value : 0;
}

int64_t ccurl_easy_count(ccurl_easy *easy, ccurl_count what) {
    int64_t value = 0;
    return curl.easy_getinfo(easy, what, &value) == 0 ? value : 0;
}

ccurl_list *ccurl_list_append(ccurl_list *list, const char *text) { return curl.slist_append(list, text); }

void ccurl_list_free(ccurl_list *list) { curl.slist_free_all(list); }

enum { most_descriptors = 16, highest_descriptor = 1 << 16 };

// A handle has a pipe or a pair of sockets to wake itself, which children would inherit before 8.10: they are among the
// lowest numbers that were free. Another thread's descriptor that came in between loses nothing it needs: whoever wants
// a child to have one says so when the child begins.
ccurl_multi *ccurl_multi_make(void) {
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

int ccurl_multi_free(ccurl_multi *multi) { GUARDED(curl.multi_cleanup(multi)); }

int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }

int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) { GUARDED(curl.multi_remove_handle(multi, easy)); }

int ccurl_multi_set_number(ccurl_multi *multi, ccurl_multi_option option, long value) {
    return curl.multi_setopt(multi, option, value);
}

int ccurl_multi_set_callbacks(
    ccurl_multi *multi, ccurl_socket_callback socket, ccurl_timer_callback timer, void *context) {
    int result = curl.multi_setopt(multi, multi_option_socket_function, socket);
    if (result == 0) { result = curl.multi_setopt(multi, multi_option_socket_context, context); }
    if (result == 0) { result = curl.multi_setopt(multi, multi_option_timer_function, timer); }
    return result != 0 ? result : curl.multi_setopt(multi, multi_option_timer_context, context);
}

int ccurl_multi_move(ccurl_multi *multi, int socket, int readiness) {
    int running = 0;
    GUARDED(curl.multi_socket_action(multi, socket, readiness, &running));
}

int ccurl_multi_next_finished(ccurl_multi *multi, ccurl_easy **easy, void **owner, int *result) {
    struct finished_message *message;
    int remaining = 0;
    while ((message = curl.multi_info_read(multi, &remaining)) != NULL) {
        if (message->message != message_done) { continue; }
        *easy = message->easy;
        *result = message->data.result;
        *owner = ccurl_easy_owner(message->easy);
        return 1;
    }
    return 0;
}
#endif
