#define _GNU_SOURCE
#include "CMeasuring.h"

#include <stddef.h>

#if defined(__linux__)

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// The part of libcurl's stable binary interface (libcurl.so.4) that a load needs, found at run time, as in the library.

enum {
    option_write_context = 10001,
    option_url = 10002,
    option_header_context = 10029,
    option_accept_encoding = 10102,
    option_owner = 10103,
    option_no_signal = 99,
    option_path_as_is = 234,
    option_write_function = 20011,
    option_header_function = 20079,
    option_multi_most_idle = 6,
    info_response_code = 0x200002,
    info_owner = 0x100015,
    message_done = 1,
    global_all = 3
};

struct finished_message {
    int message;
    void *easy;
    union {
        void *other;
        int result;
    } data;
};

#define FUNCTIONS(EACH) \
    EACH(int, global_init, (long)) \
    EACH(void *, easy_init, (void)) \
    EACH(void, easy_cleanup, (void *)) \
    EACH(int, easy_setopt, (void *, int, ...)) \
    EACH(int, easy_getinfo, (void *, int, ...)) \
    EACH(void *, multi_init, (void)) \
    EACH(int, multi_cleanup, (void *)) \
    EACH(int, multi_setopt, (void *, int, ...)) \
    EACH(int, multi_add_handle, (void *, void *)) \
    EACH(int, multi_remove_handle, (void *, void *)) \
    EACH(int, multi_perform, (void *, int *)) \
    EACH(int, multi_poll, (void *, void *, unsigned int, int, int *)) \
    EACH(struct finished_message *, multi_info_read, (void *, int *))

#define DECLARE(RESULT, NAME, ARGUMENTS) RESULT (*NAME) ARGUMENTS;
#define FIND(RESULT, NAME, ARGUMENTS) && (*(void **)&curl.NAME = dlsym(library, "curl_" #NAME)) != NULL

static struct { FUNCTIONS(DECLARE) } curl;

struct transfer {
    void *easy;
    uint64_t start;
    size_t head_bytes;
    size_t body_bytes;
};

struct curl_load {
    void *multi;
    size_t body_bytes;
    uint64_t deadline;
    uint32_t *latencies;
    int64_t room;
    int64_t done;
    int running;
    int count;
    struct transfer transfers[];
};

static uint64_t clock_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static size_t count_head(char *bytes, size_t size, size_t count, void *context) {
    ((struct transfer *)context)->head_bytes += size * count;
    return size * count;
}

static size_t count_body(char *bytes, size_t size, size_t count, void *context) {
    ((struct transfer *)context)->body_bytes += size * count;
    return size * count;
}

static int begin(curl_load *load, struct transfer *transfer, uint64_t now) {
    transfer->start = now;
    transfer->head_bytes = 0;
    transfer->body_bytes = 0;
    return curl.multi_add_handle(load->multi, transfer->easy) == 0;
}

static int is_expected(curl_load *load, struct transfer *transfer, int result) {
    long status = 0;
    curl.easy_getinfo(transfer->easy, info_response_code, &status);
    return result == 0 && status == 200 && transfer->head_bytes > 0
        && transfer->body_bytes == load->body_bytes;
}

// Stores a latency, and begins the next request if there is time; returns 0 if that fails.
static int finish(curl_load *load, struct transfer *transfer) {
    uint64_t now = clock_now(), latency = now - transfer->start;
    if (load->done < load->room) { load->latencies[load->done] = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency; }
    load->done++;
    if (now < load->deadline) { return begin(load, transfer, now); }
    load->running--;
    return 1;
}

static int perform(curl_load *load) {
    struct finished_message *message;
    int running = 0, remaining = 0;
    if (curl.multi_perform(load->multi, &running) != 0) { return 0; }
    while ((message = curl.multi_info_read(load->multi, &remaining)) != NULL) {
        if (message->message != message_done) { continue; }
        struct transfer *transfer = NULL;
        int result = message->data.result;
        curl.easy_getinfo(message->easy, info_owner, &transfer);
        int is_good = is_expected(load, transfer, result);
        curl.multi_remove_handle(load->multi, transfer->easy);
        if (!is_good || !finish(load, transfer)) { return 0; }
    }
    return 1;
}

int64_t curl_load_run(curl_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) {
    load->deadline = deadline;
    load->latencies = latencies;
    load->room = room;
    load->done = 0;
    load->running = load->count;
    for (int index = 0; index < load->count; index++) {
        if (!begin(load, &load->transfers[index], clock_now())) { return -1; }
    }
    while (load->running > 0) {
        // The second time for the new transfers, before waiting.
        if (!perform(load) || !perform(load)) { return -1; }
        if (load->running > 0 && curl.multi_poll(load->multi, NULL, 0, 1000, NULL) != 0) { return -1; }
    }
    return load->done;
}

void curl_load_free(curl_load *load) {
    for (int index = 0; index < load->count; index++) {
        curl.multi_remove_handle(load->multi, load->transfers[index].easy);
        curl.easy_cleanup(load->transfers[index].easy);
    }
    if (load->multi != NULL) { curl.multi_cleanup(load->multi); }
    free(load);
}

// The options that the library sets as well, so that the request is the same.
static int describe(struct transfer *transfer, const char *url) {
    int (*set)(void *, int, ...) = curl.easy_setopt;
    void *easy = transfer->easy;
    return set(easy, option_url, url) == 0 && set(easy, option_no_signal, 1L) == 0
        && set(easy, option_path_as_is, 1L) == 0 && set(easy, option_accept_encoding, "") == 0
        && set(easy, option_owner, transfer) == 0 && set(easy, option_header_function, count_head) == 0
        && set(easy, option_header_context, transfer) == 0 && set(easy, option_write_function, count_body) == 0
        && set(easy, option_write_context, transfer) == 0;
}

static int prepare(curl_load *load, uint16_t port, const char *path, int connections) {
    load->multi = curl.multi_init();
    if (load->multi == NULL) { return 0; }
    curl.multi_setopt(load->multi, option_multi_most_idle, (long)connections);
    char url[256];
    snprintf(url, sizeof url, "http://127.0.0.1:%d%s", port, path);
    while (load->count < connections) {
        struct transfer *transfer = &load->transfers[load->count++];
        transfer->easy = curl.easy_init();
        if (transfer->easy == NULL || !describe(transfer, url)) { return 0; }
    }
    return 1;
}

curl_load *curl_load_make(uint16_t port, const char *path, size_t body_bytes, int connections) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) { library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL); }
    if (!(library != NULL FUNCTIONS(FIND) && curl.global_init(global_all) == 0)) { return NULL; }
    curl_load *load = calloc(1, sizeof *load + (size_t)connections * sizeof(struct transfer));
    if (load == NULL) { return NULL; }
    load->body_bytes = body_bytes;
    if (prepare(load, port, path, connections)) { return load; }
    curl_load_free(load);
    return NULL;
}

#else

curl_load *curl_load_make(uint16_t port, const char *path, size_t body_bytes, int connections) { return NULL; }

int64_t curl_load_run(curl_load *load, uint64_t deadline, uint32_t *latencies, int64_t room) { return -1; }

void curl_load_free(curl_load *load) {}

#endif
