#define _GNU_SOURCE
#include "RequestLoad.h"

#if defined(__linux__)

#include "CurlSymbols.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

struct transfer {
    void *easy;
    uint64_t start;
    size_t head_bytes;
    size_t body_bytes;
};

struct curl_load {
    request_load common;
    const struct curl_symbols *curl;
    void *multi;
    // -1 if the load waits with curl_multi_poll.
    int events;
    // The time at which libcurl wants to be called without an event; 0 for never.
    uint64_t due;
    int running;
    int count;
    struct transfer transfers[];
};

static size_t count_head(char *bytes, size_t size, size_t count, void *context) {
    ((struct transfer *)context)->head_bytes += size * count;
    return size * count;
}

static size_t count_body(char *bytes, size_t size, size_t count, void *context) {
    ((struct transfer *)context)->body_bytes += size * count;
    return size * count;
}

static int begin(struct curl_load *load, struct transfer *transfer, uint64_t now) {
    transfer->start = now;
    transfer->head_bytes = 0;
    transfer->body_bytes = 0;
    return load->curl->multi_add_handle(load->multi, transfer->easy) == 0;
}

static int is_expected(struct curl_load *load, struct transfer *transfer, int result) {
    long status = 0;
    load->curl->easy_getinfo(transfer->easy, info_response_code, &status);
    return result == 0 && status == 200 && transfer->head_bytes > 0 && transfer->body_bytes == 27;
}

// Begins a new transfer for each finished one; returns 0 if a transfer has failed.
static int take_finished(struct curl_load *load) {
    struct finished_message *message;
    int remaining = 0;
    while ((message = load->curl->multi_info_read(load->multi, &remaining)) != NULL) {
        if (message->message != message_done) { continue; }
        struct transfer *transfer = NULL;
        int result = message->data.result;
        load->curl->easy_getinfo(message->easy, info_owner, &transfer);
        int is_good = is_expected(load, transfer, result);
        load->curl->multi_remove_handle(load->multi, transfer->easy);
        if (!is_good) { return 0; }
        uint64_t now = request_ended(&load->common, transfer->start);
        if (now == 0) {
            load->running--;
        } else if (!begin(load, transfer, now)) {
            return 0;
        }
    }
    return 1;
}

static int move_with_poll(struct curl_load *load) {
    int running = 0;
    if (load->curl->multi_perform(load->multi, &running) != 0 || !take_finished(load)) { return 0; }
    // Moves new transfers before waiting.
    if (load->curl->multi_perform(load->multi, &running) != 0 || !take_finished(load)) { return 0; }
    return load->running == 0 || load->curl->multi_poll(load->multi, NULL, 0, 1000, NULL) == 0;
}

static int patience(struct curl_load *load) {
    if (load->due == 0) { return 1000; }
    uint64_t now = clock_now();
    return load->due <= now ? 0 : (int)((load->due - now) / 1000000 + 1);
}

static int move_with_events(struct curl_load *load) {
    struct epoll_event ready[256];
    int running = 0;
    int count = epoll_wait(load->events, ready, 256, patience(load));
    if (count < 0 && errno != EINTR) { return 0; }
    for (int index = 0; index < count; index++) {
        uint32_t events = ready[index].events;
        int what = (events & EPOLLIN ? select_in : 0) | (events & EPOLLOUT ? select_out : 0)
            | (events & (EPOLLERR | EPOLLHUP) ? select_error : 0);
        if (load->curl->multi_socket_action(load->multi, ready[index].data.fd, what, &running) != 0) { return 0; }
    }
    if (!take_finished(load)) { return 0; }
    // New transfers are due immediately.
    if (load->due != 0 && clock_now() >= load->due) {
        load->due = 0;
        if (load->curl->multi_socket_action(load->multi, socket_timeout, 0, &running) != 0) { return 0; }
    }
    return take_finished(load);
}

static int note_socket(void *easy, int descriptor, int what, void *context, void *known) {
    struct curl_load *load = context;
    struct epoll_event event = {.data.fd = descriptor};
    event.events = (what & poll_in ? EPOLLIN : 0) | (what & poll_out ? EPOLLOUT : 0);
    if (what == poll_remove) {
        epoll_ctl(load->events, EPOLL_CTL_DEL, descriptor, NULL);
    } else if (epoll_ctl(load->events, EPOLL_CTL_MOD, descriptor, &event) != 0) {
        epoll_ctl(load->events, EPOLL_CTL_ADD, descriptor, &event);
    }
    return 0;
}

static int note_timer(void *multi, long milliseconds, void *context) {
    struct curl_load *load = context;
    load->due = milliseconds < 0 ? 0 : clock_now() + (uint64_t)milliseconds * 1000000;
    return 0;
}

static int run(request_load *common) {
    struct curl_load *load = (struct curl_load *)common;
    load->running = load->count;
    for (int index = 0; index < load->count; index++) {
        if (!begin(load, &load->transfers[index], clock_now())) { return 0; }
    }
    while (load->running > 0) {
        if (!(load->events < 0 ? move_with_poll(load) : move_with_events(load))) { return 0; }
    }
    return 1;
}

static void release(request_load *common) {
    struct curl_load *load = (struct curl_load *)common;
    for (int index = 0; index < load->count; index++) {
        load->curl->multi_remove_handle(load->multi, load->transfers[index].easy);
        load->curl->easy_cleanup(load->transfers[index].easy);
    }
    if (load->multi != NULL) { load->curl->multi_cleanup(load->multi); }
    if (load->events >= 0) { close(load->events); }
    free(load);
}

// The options that the library sets as well, so that the request is the same.
static int describe(struct curl_load *load, struct transfer *transfer, const char *url) {
    int (*set)(void *, int, ...) = load->curl->easy_setopt;
    void *easy = transfer->easy;
    return set(easy, option_url, url) == 0 && set(easy, option_no_signal, 1L) == 0
        && set(easy, option_path_as_is, 1L) == 0 && set(easy, option_accept_encoding, "") == 0
        && set(easy, option_owner, transfer) == 0 && set(easy, option_header_function, count_head) == 0
        && set(easy, option_header_context, transfer) == 0 && set(easy, option_write_function, count_body) == 0
        && set(easy, option_write_context, transfer) == 0;
}

static int prepare(struct curl_load *load, uint16_t port, int connections, int uses_events) {
    load->multi = load->curl->multi_init();
    if (load->multi == NULL) { return 0; }
    load->curl->multi_setopt(load->multi, option_multi_most_idle, (long)connections);
    if (uses_events) {
        load->events = epoll_create1(EPOLL_CLOEXEC);
        if (load->events < 0) { return 0; }
        load->curl->multi_setopt(load->multi, option_multi_socket_function, note_socket);
        load->curl->multi_setopt(load->multi, option_multi_socket_context, load);
        load->curl->multi_setopt(load->multi, option_multi_timer_function, note_timer);
        load->curl->multi_setopt(load->multi, option_multi_timer_context, load);
    }
    char url[64];
    snprintf(url, sizeof url, "http://127.0.0.1:%d/small", port);
    while (load->count < connections) {
        struct transfer *transfer = &load->transfers[load->count++];
        transfer->easy = load->curl->easy_init();
        if (transfer->easy == NULL || !describe(load, transfer, url)) { return 0; }
    }
    return 1;
}

request_load *curl_load_make(uint16_t port, int connections, int uses_events) {
    const struct curl_symbols *curl = curl_symbols_find();
    if (curl == NULL) { return NULL; }
    struct curl_load *load = calloc(1, sizeof *load + (size_t)connections * sizeof(struct transfer));
    if (load == NULL) { return NULL; }
    load->common.run = run;
    load->common.free = release;
    load->curl = curl;
    load->events = -1;
    if (prepare(load, port, connections, uses_events)) { return &load->common; }
    release(&load->common);
    return NULL;
}

#endif
