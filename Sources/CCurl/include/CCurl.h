#ifndef CCURL_H
#define CCURL_H

#include <stdint.h>
#include <stddef.h>

#include "CCurlDecoding.h"
#include "CCurlSockets.h"

// The part of libcurl's stable binary interface (libcurl.so.4) that the library uses, declared in its own words.
//
// The library itself is found when the process runs, so that nothing has to be installed or linked to build; a program
// that is linked with it, as a statically linked one is, uses that one. No function here may be called before
// `ccurl_load` has returned `CCURL_LOADED`, except that one and those that tell the version.
//
// No function here lets a peer that is gone end the process by SIGPIPE, whatever the version.

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_list ccurl_list;
typedef struct ccurl_url ccurl_url;

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
// The same as 0xMMmmpp, which is 0x075801 for 7.88.1; 0 if none was found.
unsigned int ccurl_version_number(void);

// How often the process has become another by `fork` since the library was loaded. The threads and connections of the
// parent are not the child's.
unsigned int ccurl_fork_count(void);

// What the library can be built with.
typedef enum { CCURL_FEATURE_HTTP2 = 1 << 16 } ccurl_feature;
int ccurl_has_feature(ccurl_feature feature);

// Options of a transfer. The tens of thousands say what kind of value an option takes.
typedef enum {
    CCURL_OPTION_TLS_VERSION = 32,
    CCURL_OPTION_NO_BODY = 44,
    CCURL_OPTION_UPLOAD = 46,
    CCURL_OPTION_FRESH_CONNECTION = 74,
    CCURL_OPTION_HTTP_VERSION = 84,
    CCURL_OPTION_BUFFER_SIZE = 98,
    CCURL_OPTION_NO_SIGNAL = 99,
    CCURL_OPTION_CONNECT_MILLISECONDS = 156,
    CCURL_OPTION_PROTOCOLS = 181,
    CCURL_OPTION_PATH_AS_IS = 234,
    CCURL_OPTION_PROXY_TLS_VERSION = 250,
    CCURL_OPTION_HIDE_PROXY_HEADS = 265,
    CCURL_OPTION_UPLOAD_BUFFER_SIZE = 280,
    CCURL_OPTION_URL = 10002,
    CCURL_OPTION_PROXY = 10004,
    CCURL_OPTION_HEADERS = 10023,
    CCURL_OPTION_CLIENT_CERTIFICATE = 10025,
    CCURL_OPTION_KEY_PASSWORD = 10026,
    CCURL_OPTION_CUSTOM_REQUEST = 10036,
    CCURL_OPTION_TRUST_FILE = 10065,
    CCURL_OPTION_KEY = 10087,
    CCURL_OPTION_TRUST_FOLDER = 10097,
    CCURL_OPTION_NO_PROXY = 10177,
    CCURL_OPTION_PINNED_KEY = 10230,
    CCURL_OPTION_PROXY_TRUST_FILE = 10246,
    CCURL_OPTION_PROXY_TRUST_FOLDER = 10247,
    CCURL_OPTION_REQUEST_TARGET = 10266,
    CCURL_OPTION_UPLOAD_LENGTH = 30115
} ccurl_option;

enum { CCURL_PROTOCOL_HTTP = 1, CCURL_PROTOCOL_HTTPS = 2 };
enum { CCURL_HTTP_VERSION_1_1 = 2, CCURL_HTTP_VERSION_2_OVER_TLS = 4 };
enum { CCURL_TLS_1_0 = 4, CCURL_TLS_1_1 = 5, CCURL_TLS_1_2 = 6, CCURL_TLS_1_3 = 7 };

// How a transfer, or the setting of an option, has ended.
typedef enum {
    CCURL_RESULT_DONE = 0,
    CCURL_RESULT_UNSUPPORTED_PROTOCOL = 1,
    CCURL_RESULT_NOT_INITIALISED = 2,
    CCURL_RESULT_MALFORMED_URL = 3,
    CCURL_RESULT_NOT_BUILT_IN = 4,
    CCURL_RESULT_PROXY_NOT_RESOLVED = 5,
    CCURL_RESULT_HOST_NOT_RESOLVED = 6,
    CCURL_RESULT_NOT_CONNECTED = 7,
    CCURL_RESULT_STRANGE_REPLY = 8,
    CCURL_RESULT_HTTP2 = 16,
    CCURL_RESULT_PARTIAL = 18,
    CCURL_RESULT_NOT_WRITTEN = 23,
    CCURL_RESULT_UPLOAD_FAILED = 25,
    CCURL_RESULT_OUT_OF_MEMORY = 27,
    CCURL_RESULT_TIMED_OUT = 28,
    CCURL_RESULT_TLS_NOT_AGREED = 35,
    CCURL_RESULT_ABORTED = 42,
    CCURL_RESULT_BAD_ARGUMENT = 43,
    CCURL_RESULT_UNKNOWN_OPTION = 48,
    CCURL_RESULT_NO_REPLY = 52,
    CCURL_RESULT_TLS_ENGINE_MISSING = 53,
    CCURL_RESULT_TLS_ENGINE_FAILED = 54,
    CCURL_RESULT_NOT_SENT = 55,
    CCURL_RESULT_NOT_RECEIVED = 56,
    CCURL_RESULT_CLIENT_CERTIFICATE = 58,
    CCURL_RESULT_CIPHER = 59,
    CCURL_RESULT_SERVER_CERTIFICATE = 60,
    CCURL_RESULT_BAD_CONTENT_ENCODING = 61,
    CCURL_RESULT_TLS_REQUIRED = 64,
    CCURL_RESULT_NOT_REWOUND = 65,
    CCURL_RESULT_TRUST_ROOTS = 77,
    CCURL_RESULT_TLS_NOT_SHUT_DOWN = 80,
    CCURL_RESULT_REVOCATION_LIST = 82,
    CCURL_RESULT_ISSUER = 83,
    CCURL_RESULT_PINNED_KEY = 90,
    CCURL_RESULT_CERTIFICATE_STATUS = 91,
    CCURL_RESULT_HTTP2_STREAM = 92,
    CCURL_RESULT_PROXY = 97,
    CCURL_RESULT_CLIENT_CERTIFICATE_REQUIRED = 98,
    CCURL_RESULT_TOO_LARGE = 100
} ccurl_result;

// What a transfer can tell of itself.
typedef enum {
    CCURL_INFO_CERTIFICATE_CHECK = 0x20000D,
    CCURL_INFO_TUNNEL_STATUS = 0x200016,
    CCURL_INFO_SYSTEM_ERROR = 0x200019,
    CCURL_INFO_NEW_CONNECTIONS = 0x20001A,
    CCURL_INFO_HTTP_VERSION = 0x20002E,
    // Whether there is a proxy on the way; of libcurl 8.7, and 0 before.
    CCURL_INFO_USES_PROXY = 0x200042
} ccurl_info;

// What a transfer can tell of itself in 64 bits: bytes, and microseconds since it began.
typedef enum {
    CCURL_COUNT_SENT = 0x600007,
    CCURL_COUNT_RECEIVED = 0x600008,
    CCURL_TIME_TOTAL = 0x600032,
    CCURL_TIME_NAME_LOOKED_UP = 0x600033,
    CCURL_TIME_CONNECTED = 0x600034,
    CCURL_TIME_READY_TO_SEND = 0x600035,
    CCURL_TIME_FIRST_BYTE = 0x600036,
    CCURL_TIME_SECURED = 0x600038
} ccurl_count;

// What callbacks answer beside a number of bytes.
enum { CCURL_ABORT_READING = 0x10000000 };
// Of bytes to write, none of which is taken then, and of bytes to read, of which there are none yet.
enum { CCURL_PAUSE = 0x10000001 };
enum { CCURL_SEEK_DONE = 0, CCURL_SEEK_FAILED = 1 };
enum { CCURL_CONNECTION_TAKEN = 0, CCURL_CONNECTION_REFUSED = 1 };

typedef size_t (*ccurl_bytes_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*ccurl_connection_callback)(void *context, char *address, char *own_address, int port, int own_port);

ccurl_easy *ccurl_easy_make(void);
void ccurl_easy_free(ccurl_easy *easy);
void ccurl_easy_reset(ccurl_easy *easy);

int ccurl_easy_set_number(ccurl_easy *easy, ccurl_option option, long value);
int ccurl_easy_set_offset(ccurl_easy *easy, ccurl_option option, int64_t value);
// NULL takes a text away.
int ccurl_easy_set_text(ccurl_easy *easy, ccurl_option option, const char *value);

// A URL that was taken apart, which counts in place of the text; the handle refers to it. NULL takes that back, and from
// 8.12 on the text with it.
int ccurl_easy_set_url(ccurl_easy *easy, const ccurl_url *url);
ccurl_url *ccurl_url_make(void);
void ccurl_url_free(ccurl_url *url);

// Takes an absolute URL apart as a transfer with that text would, the path as it is; not 0 if it cannot be.
int ccurl_url_parse(ccurl_url *url, const char *text);

int ccurl_easy_set_list(ccurl_easy *easy, ccurl_option option, const ccurl_list *value);
// What a transfer belongs to; `ccurl_multi_next_finished` gives it back.
int ccurl_easy_set_owner(ccurl_easy *easy, void *owner);
// NULL if it belongs to libcurl itself.
void *ccurl_easy_owner(ccurl_easy *easy);
int ccurl_easy_set_header_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context);
int ccurl_easy_set_write_callback(ccurl_easy *easy, ccurl_bytes_callback callback, void *context);
int ccurl_easy_set_read_callback(
    ccurl_easy *easy, ccurl_bytes_callback callback, ccurl_seek_callback seek, void *context);
// Called when there is a connection, before anything is sent over it; of libcurl 7.80, and without effect before.
int ccurl_easy_set_connection_callback(ccurl_easy *easy, ccurl_connection_callback callback, void *context);
// Makes the transfer's sockets such that children do not inherit them. The system's error is left at `error` if it makes
// none, and must be valid as long as the transfer is. Where it is ECANCELED beforehand, the transfer gets no socket.
int ccurl_easy_set_socket_error(ccurl_easy *easy, int *error);
// Whether the process could open another descriptor.
int ccurl_has_descriptors(void);
// What tells one connection that is open from another.
typedef uint64_t ccurl_connection;
ccurl_connection ccurl_connection_between(const char *address, int port, int own_port);
// The socket that a transfer went over, before it is removed; -1 if it is not open any more, or not without TLS, which has
// messages of its own.
int ccurl_easy_socket(ccurl_easy *easy, ccurl_connection *connection);
// Whether there is something to be read, which is dropped then, and the connection ended.
int ccurl_socket_empty(int socket);
// Goes on with a transfer that a callback has paused, and may call the callbacks at once.
int ccurl_easy_go_on(ccurl_easy *easy);
// At least 256 bytes, in which the text of an error is left.
int ccurl_easy_set_error_buffer(ccurl_easy *easy, char *buffer);

// 0 if the transfer does not know.
long ccurl_easy_number(ccurl_easy *easy, ccurl_info info);
int64_t ccurl_easy_count(ccurl_easy *easy, ccurl_count what);

// Appends a copy of a text; NULL if there is no memory, and then the list is as it was.
ccurl_list *ccurl_list_append(ccurl_list *list, const char *text);
void ccurl_list_free(ccurl_list *list);

ccurl_multi *ccurl_multi_make(void);
int ccurl_multi_free(ccurl_multi *multi);
int ccurl_multi_add(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove(ccurl_multi *multi, ccurl_easy *easy);
typedef enum {
    CCURL_MULTI_OPTION_IDLE_CONNECTIONS = 6,
    CCURL_MULTI_OPTION_HOST_CONNECTIONS = 7,
    CCURL_MULTI_OPTION_CONNECTIONS = 13
} ccurl_multi_option;
int ccurl_multi_set_number(ccurl_multi *multi, ccurl_multi_option option, long value);

// What a transfer waits for at a socket.
enum { CCURL_WANTS_READING = 1, CCURL_WANTS_WRITING = 2, CCURL_WANTS_NOTHING = 4 };
// What a socket is ready for.
enum { CCURL_CAN_READ = 1, CCURL_CAN_WRITE = 2, CCURL_HAS_FAILED = 4 };
// In place of a socket: the time that the timer was set to has come.
enum { CCURL_TIMER = -1 };

typedef int (*ccurl_socket_callback)(ccurl_easy *easy, int socket, int wanted, void *context, void *unused);
// -1 for never, 0 for as soon as the callback has returned.
typedef int (*ccurl_timer_callback)(ccurl_multi *multi, long milliseconds, void *context);
int ccurl_multi_set_callbacks(
    ccurl_multi *multi, ccurl_socket_callback socket, ccurl_timer_callback timer, void *context);
// Moves what can be moved at a socket, or what is due.
int ccurl_multi_move(ccurl_multi *multi, int socket, int readiness);
// The next transfer that is finished, its owner and its result; 0 if there is none.
int ccurl_multi_next_finished(ccurl_multi *multi, ccurl_easy **easy, void **owner, int *result);

#endif
