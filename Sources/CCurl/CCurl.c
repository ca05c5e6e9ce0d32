#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sys/socket.h>

static const unsigned int oldest_version = 0x074C01;

static const char *const library_names[] = {"libcurl.so.4", "libcurl.so", "libcurl-gnutls.so.4"};

enum {
    option_write_context = 10001,
    option_read_context = 10009,
    option_error_buffer = 10010,
    option_header_context = 10029,
    option_owner = 10103,
    option_seek_context = 10168,
    option_parsed_url = 10282,
    option_connection_context = 10313,
    option_write_function = 20011,
    option_read_function = 20012,
    option_header_function = 20079,
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
    void *(*url_make)(void);
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

static ccurl_status status = CCURL_NOT_FOUND;
static struct version_info *info = NULL;
static pthread_once_t once = PTHREAD_ONCE_INIT;

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

static int find(void *library, void **function, const char *name) {
    *function = dlsym(library, name);
    return *function != NULL;
}

static int find_all(void *library) {
    return find(library, (void **)&curl.global_init, "curl_global_init")
        && find(library, (void **)&curl.version_info, "curl_version_info")
        && find(library, (void **)&curl.easy_init, "curl_easy_init")
        && find(library, (void **)&curl.easy_cleanup, "curl_easy_cleanup")
        && find(library, (void **)&curl.easy_reset, "curl_easy_reset")
        && find(library, (void **)&curl.easy_setopt, "curl_easy_setopt")
        && find(library, (void **)&curl.easy_getinfo, "curl_easy_getinfo")
        && find(library, (void **)&curl.easy_pause, "curl_easy_pause")
        && find(library, (void **)&curl.slist_append, "curl_slist_append")
        && find(library, (void **)&curl.slist_free_all, "curl_slist_free_all")
        && find(library, (void **)&curl.url_make, "curl_url")
        && find(library, (void **)&curl.url_cleanup, "curl_url_cleanup")
        && find(library, (void **)&curl.url_set, "curl_url_set")
        && find(library, (void **)&curl.multi_init, "curl_multi_init")
        && find(library, (void **)&curl.multi_cleanup, "curl_multi_cleanup")
        && find(library, (void **)&curl.multi_add_handle, "curl_multi_add_handle")
        && find(library, (void **)&curl.multi_remove_handle, "curl_multi_remove_handle")
        && find(library, (void **)&curl.multi_setopt, "curl_multi_setopt")
        && find(library, (void **)&curl.multi_socket_action, "curl_multi_socket_action")
        && find(library, (void **)&curl.multi_info_read, "curl_multi_info_read");
}

static unsigned int fork_count = 0;

static void count_fork(void) { fork_count++; }

unsigned int ccurl_fork_count(void) { return fork_count; }

static void load(void) {
    pthread_atfork(NULL, NULL, count_fork);
    void *library = open_library();
    if (library == NULL) { return; }
    struct version_info *(*version)(int) = NULL;
    if (find(library, (void **)&version, "curl_version_info")) { info = version(0); }
    if (info != NULL && info->version_number < oldest_version) {
        status = CCURL_TOO_OLD;
    } else if (!find_all(library) || info == NULL) {
        status = CCURL_INCOMPLETE;
    } else {
        status = curl.global_init(global_all) == 0 ? CCURL_LOADED : CCURL_REFUSED;
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

ccurl_easy *ccurl_easy_make(void) { return curl.easy_init(); }

void ccurl_easy_free(ccurl_easy *easy) { curl.easy_cleanup(easy); }

void ccurl_easy_reset(ccurl_easy *easy) { curl.easy_reset(easy); }

int ccurl_easy_set_number(ccurl_easy *easy, ccurl_option option, long value) { return curl.easy_setopt(easy, option, value); }

int ccurl_easy_set_offset(ccurl_easy *easy, ccurl_option option, int64_t value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_text(ccurl_easy *easy, ccurl_option option, const char *value) {
    return curl.easy_setopt(easy, option, value);
}

int ccurl_easy_set_url(ccurl_easy *easy, const ccurl_url *url) { return curl.easy_setopt(easy, option_parsed_url, url); }

ccurl_url *ccurl_url_make(void) { return curl.url_make(); }

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

int ccurl_easy_go_on(ccurl_easy *easy) { return curl.easy_pause(easy, 0); }

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

ccurl_multi *ccurl_multi_make(void) { return curl.multi_init(); }

int ccurl_multi_free(ccurl_multi *multi) { return curl.multi_cleanup(multi); }

int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_add_handle(multi, easy); }

int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy) { return curl.multi_remove_handle(multi, easy); }

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
    return curl.multi_socket_action(multi, socket, readiness, &running);
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
