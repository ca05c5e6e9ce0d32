#ifndef CCURL_H
#define CCURL_H

#include <stdint.h>
#include <stddef.h>

// The part of libcurl's stable binary interface (libcurl.so.4) that the library uses, declared in its own words.
//
// The library itself is found when the process runs, so that nothing has to be installed or linked to build. No function
// here may be called before `ccurl_load` has returned `CCURL_LOADED`, except that one and `ccurl_version`.

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_list ccurl_list;

// What looking for the library has come to.
typedef enum {
    CCURL_LOADED = 0,
    CCURL_NOT_FOUND = 1,
    CCURL_INCOMPLETE = 2,
    CCURL_TOO_OLD = 3,
    CCURL_REFUSED = 4
} ccurl_status;

// Looks for the library once, whichever thread asks first, and prepares it.
ccurl_status ccurl_load(void);

// The version that was found, such as "7.88.1"; empty if none was.
const char *ccurl_version(void);

// What the library was built with, such as HTTP/2.
typedef enum { CCURL_FEATURE_TLS = 1 << 2, CCURL_FEATURE_ZLIB = 1 << 3, CCURL_FEATURE_HTTP2 = 1 << 16 } ccurl_feature;
int ccurl_has_feature(ccurl_feature feature);

// Options of a transfer. The tens of thousands say what kind of value an option takes.
typedef enum {
    CCURL_OPTION_TIMEOUT_MS = 155,
    CCURL_OPTION_CONNECT_TIMEOUT_MS = 156,
    CCURL_OPTION_NO_SIGNAL = 99,
    CCURL_OPTION_NO_BODY = 44,
    CCURL_OPTION_UPLOAD = 46,
    CCURL_OPTION_HTTP_GET = 80,
    CCURL_OPTION_HTTP_VERSION = 84,
    CCURL_OPTION_HTTP09_ALLOWED = 285,
    CCURL_OPTION_PATH_AS_IS = 234,
    CCURL_OPTION_PIPE_WAIT = 237,
    CCURL_OPTION_SUPPRESS_CONNECT_HEADERS = 265,
    CCURL_OPTION_BUFFER_SIZE = 98,
    CCURL_OPTION_UPLOAD_BUFFER_SIZE = 280,
    CCURL_OPTION_SSL_VERSION = 32,
    CCURL_OPTION_TCP_KEEPALIVE = 213,
    CCURL_OPTION_FRESH_CONNECT = 74,
    CCURL_OPTION_EXPECT_100_TIMEOUT_MS = 227,
    CCURL_OPTION_URL = 10002,
    CCURL_OPTION_PROXY = 10004,
    CCURL_OPTION_HEADERS = 10023,
    CCURL_OPTION_CUSTOM_REQUEST = 10036,
    CCURL_OPTION_TRUST_ROOTS_FILE = 10065,
    CCURL_OPTION_ACCEPT_ENCODING = 10102,
    CCURL_OPTION_PINNED_PUBLIC_KEY = 10230,
    CCURL_OPTION_CLIENT_CERTIFICATE = 10025,
    CCURL_OPTION_CLIENT_KEY = 10087,
    CCURL_OPTION_CLIENT_KEY_PASSWORD = 10026,
    CCURL_OPTION_NO_PROXY = 10177,
    CCURL_OPTION_PROTOCOLS_TEXT = 10318,
    CCURL_OPTION_UPLOAD_LENGTH = 30115
} ccurl_option;

enum {
    CCURL_HTTP_VERSION_1_1 = 2,
    CCURL_HTTP_VERSION_2_OVER_TLS = 4,
    CCURL_TLS_1_2 = 6,
    CCURL_TLS_1_3 = 7
};

// Options of a set of transfers.
typedef enum {
    CCURL_MULTI_CONNECTIONS_KEPT = 6,
    CCURL_MULTI_CONNECTIONS_PER_HOST = 7,
    CCURL_MULTI_CONNECTIONS_IN_ALL = 13
} ccurl_multi_option;

// What a transfer can tell of itself.
typedef enum {
    CCURL_INFO_RESPONSE_CODE = 0x200002,
    CCURL_INFO_SYSTEM_ERROR = 0x200019,
    CCURL_INFO_NEW_CONNECTIONS = 0x20001A,
    CCURL_INFO_HTTP_VERSION = 0x20002E,
    CCURL_INFO_TOTAL_TIME = 0x600032,
    CCURL_INFO_NAME_LOOKUP_TIME = 0x600033,
    CCURL_INFO_CONNECT_TIME = 0x600034,
    CCURL_INFO_FIRST_BYTE_TIME = 0x600036,
    CCURL_INFO_TLS_TIME = 0x600038,
    CCURL_INFO_BYTES_SENT = 0x600007,
    CCURL_INFO_BYTES_RECEIVED = 0x600008
} ccurl_info;

// What callbacks answer beside a number of bytes.
enum { CCURL_PAUSE_WRITING = 0x10000001, CCURL_ABORT_READING = 0x10000000, CCURL_PAUSE_READING = 0x10000001 };
enum { CCURL_SEEK_DONE = 0, CCURL_SEEK_FAILED = 1 };

// Which directions of a transfer stand still.
enum { CCURL_PAUSE_RECEIVING = 1, CCURL_PAUSE_SENDING = 4, CCURL_PAUSE_NONE = 0 };

typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);

ccurl_easy *ccurl_easy_make(void);
void ccurl_easy_free(ccurl_easy *easy);
void ccurl_easy_reset(ccurl_easy *easy);
int ccurl_easy_pause(ccurl_easy *easy, int directions);

int ccurl_easy_set_number(ccurl_easy *easy, ccurl_option option, long value);
int ccurl_easy_set_offset(ccurl_easy *easy, ccurl_option option, int64_t value);
int ccurl_easy_set_text(ccurl_easy *easy, ccurl_option option, const char *value);
int ccurl_easy_set_list(ccurl_easy *easy, ccurl_option option, const ccurl_list *value);
// What a transfer belongs to; `ccurl_multi_next_finished` gives it back.
int ccurl_easy_set_owner(ccurl_easy *easy, void *owner);
int ccurl_easy_set_header_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context);
int ccurl_easy_set_write_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context);
int ccurl_easy_set_read_callback(
    ccurl_easy *easy, ccurl_bytes_callback callback, ccurl_seek_callback seek, void *context);
// At least 256 bytes, in which the text of an error is left.
int ccurl_easy_set_error_buffer(ccurl_easy *easy, char *buffer);

// 0 if the transfer does not know.
long ccurl_easy_number(ccurl_easy *easy, ccurl_info info);
int64_t ccurl_easy_offset(ccurl_easy *easy, ccurl_info info);

// Appends a copy of a text; NULL if there is no memory, and then the list is as it was.
ccurl_list *ccurl_list_append(ccurl_list *list, const char *text);
void ccurl_list_free(ccurl_list *list);

ccurl_multi *ccurl_multi_make(void);
int ccurl_multi_free(ccurl_multi *multi);
int ccurl_multi_set_number(ccurl_multi *multi, ccurl_multi_option option, long value);
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
// Moves what can be moved, and says how many transfers are not finished.
int ccurl_multi_perform(ccurl_multi *multi, int *running);
// Waits until something can be moved, somebody wakes it, or the time is over.
int ccurl_multi_poll(ccurl_multi *multi, int milliseconds);
// May be called on any thread.
int ccurl_multi_wakeup(ccurl_multi *multi);
// The next transfer that is finished, its owner and its result; 0 if there is none.
int ccurl_multi_next_finished(ccurl_multi *multi, ccurl_easy **easy, void **owner, int *result);

#endif
