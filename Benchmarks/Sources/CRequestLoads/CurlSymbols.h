#ifndef CURL_SYMBOLS_H
#define CURL_SYMBOLS_H

// The part of libcurl's stable binary interface (libcurl.so.4) that a load needs, looked up at run time, like in the
// library.

enum {
    option_url = 10002,
    option_http_header = 10023,
    option_write_context = 10001,
    option_header_context = 10029,
    option_accept_encoding = 10102,
    option_owner = 10103,
    option_no_signal = 99,
    option_path_as_is = 234,
    option_write_function = 20011,
    option_header_function = 20079,
    option_multi_socket_function = 20001,
    option_multi_socket_context = 10002,
    option_multi_timer_function = 20004,
    option_multi_timer_context = 10005,
    option_multi_most_idle = 6,
    info_response_code = 0x200002,
    info_owner = 0x100015,
    message_done = 1,
    global_all = 3,
    poll_in = 1,
    poll_out = 2,
    poll_remove = 4,
    select_in = 1,
    select_out = 2,
    select_error = 4,
    socket_timeout = -1
};

struct finished_message {
    int message;
    void *easy;
    union {
        void *other;
        int result;
    } data;
};

struct curl_symbols {
    int (*global_init)(long);
    void *(*easy_init)(void);
    void (*easy_cleanup)(void *);
    int (*easy_setopt)(void *, int, ...);
    int (*easy_getinfo)(void *, int, ...);
    void *(*multi_init)(void);
    int (*multi_cleanup)(void *);
    int (*multi_setopt)(void *, int, ...);
    int (*multi_add_handle)(void *, void *);
    int (*multi_remove_handle)(void *, void *);
    int (*multi_perform)(void *, int *);
    int (*multi_poll)(void *, void *, unsigned int, int, int *);
    int (*multi_socket_action)(void *, int, int, int *);
    struct finished_message *(*multi_info_read)(void *, int *);
};

// Returns NULL if libcurl is missing or too old.
const struct curl_symbols *curl_symbols_find(void);

#endif
