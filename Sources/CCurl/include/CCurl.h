#ifndef CCURL_H
#define CCURL_H

#include <stdint.h>
#include <stddef.h>

#include "CCurlCoding.h"
#include "CCurlSockets.h"

// The part of libcurl's stable binary interface (libcurl.so.4) that this package uses. Constants have libcurl's names, and
// `ccurl_easy_init` calls `curl_easy_init`: libcurl's documentation explains both.
//
// libcurl is loaded when the process runs, so a build needs no libcurl. A program that is linked with libcurl, such as a
// statically linked one, uses the linked libcurl. Before `ccurl_load` has returned `CCURL_LOADED`, only `ccurl_load` and the
// functions that return the version may be called.
//
// With any version of libcurl, a lost connection does not end the process by SIGPIPE during a call of these functions.

typedef struct ccurl_easy ccurl_easy;
typedef struct ccurl_multi ccurl_multi;
typedef struct ccurl_share ccurl_share;
typedef struct ccurl_slist ccurl_slist;
typedef struct ccurl_url ccurl_url;

// The result of loading libcurl.
typedef enum {
    CCURL_LOADED = 0,
    CCURL_NOT_FOUND = 1,
    CCURL_INCOMPLETE = 2,
    CCURL_TOO_OLD = 3,
    CCURL_REFUSED = 4
} ccurl_status;

// Loads and initialises libcurl at the first call, and returns the result at every call.
ccurl_status ccurl_load(void);

// The version, such as "7.88.1"; empty if no libcurl was found.
const char *ccurl_version(void);
// The version as 0xMMmmpp, which is 0x075801 for 7.88.1; 0 if no libcurl was found.
unsigned int ccurl_version_number(void);
// The library that libcurl uses for TLS, such as "OpenSSL/3.0.19"; empty if there is none.
const char *ccurl_tls_library(void);
// The library that libcurl uses for QUIC, such as "ngtcp2/1.25.0 nghttp3/1.18.0"; empty if there is none.
const char *ccurl_quic_library(void);
// Whether libcurl was built with a feature (CURL_VERSION_…).
int ccurl_has_feature(int feature);

// How many times the process was forked since libcurl was loaded; 0 in the process that loaded it. A forked process has none
// of the threads.
unsigned int ccurl_fork_count(void);

enum { CURL_VERSION_HTTP2 = 1 << 16, CURL_VERSION_HTTP3 = 1 << 25 };
enum { CURL_ERROR_SIZE = 256 };
enum { CURLPROTO_HTTP = 1 << 0, CURLPROTO_HTTPS = 1 << 1 };
enum { CURL_HTTP_VERSION_1_1 = 2, CURL_HTTP_VERSION_2_0 = 3, CURL_HTTP_VERSION_2TLS = 4, CURL_HTTP_VERSION_3 = 30 };
enum {
    CURL_SSLVERSION_TLSv1_0 = 4,
    CURL_SSLVERSION_TLSv1_1 = 5,
    CURL_SSLVERSION_TLSv1_2 = 6,
    CURL_SSLVERSION_TLSv1_3 = 7,
    CURL_SSLVERSION_MAX_TLSv1_3 = 7 << 16
};

// Each type of value has its own enum of options, so that a value of another type does not compile in Swift.
typedef enum {
    CURLOPT_SSLVERSION = 32,
    CURLOPT_NOBODY = 44,
    CURLOPT_UPLOAD = 46,
    CURLOPT_HTTPPROXYTUNNEL = 61,
    CURLOPT_FRESH_CONNECT = 74,
    CURLOPT_FORBID_REUSE = 75,
    CURLOPT_HTTP_VERSION = 84,
    CURLOPT_DNS_CACHE_TIMEOUT = 92,
    CURLOPT_BUFFERSIZE = 98,
    CURLOPT_NOSIGNAL = 99,
    CURLOPT_CONNECTTIMEOUT_MS = 156,
    CURLOPT_PROTOCOLS = 181,
    CURLOPT_PATH_AS_IS = 234,
    CURLOPT_PROXY_SSLVERSION = 250,
    CURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CURLOPT_UPLOAD_BUFFERSIZE = 280,
    CURLOPT_CA_CACHE_TIMEOUT = 321,
    CURLOPT_QUICK_EXIT = 322
} ccurl_option_long;

typedef enum {
    CURLOPT_URL = 10002,
    CURLOPT_PROXY = 10004,
    CURLOPT_SSLCERT = 10025,
    CURLOPT_KEYPASSWD = 10026,
    CURLOPT_CUSTOMREQUEST = 10036,
    CURLOPT_INTERFACE = 10062,
    CURLOPT_CAINFO = 10065,
    CURLOPT_SSLCERTTYPE = 10086,
    CURLOPT_SSLKEY = 10087,
    CURLOPT_CAPATH = 10097,
    CURLOPT_NOPROXY = 10177,
    CURLOPT_PINNEDPUBLICKEY = 10230,
    CURLOPT_UNIX_SOCKET_PATH = 10231,
    CURLOPT_PROXY_CAINFO = 10246,
    CURLOPT_PROXY_CAPATH = 10247,
    CURLOPT_REQUEST_TARGET = 10266
} ccurl_option_string;

// libcurl refers to the object, and does not copy it.
typedef enum {
    // CURL_ERROR_SIZE bytes.
    CURLOPT_ERRORBUFFER = 10010,
    CURLOPT_HTTPHEADER = 10023,
    CURLOPT_SHARE = 10100,
    CURLOPT_CONNECT_TO = 10243,
    CURLOPT_CURLU = 10282
} ccurl_option_object;

typedef enum { CURLOPT_INFILESIZE_LARGE = 30115 } ccurl_option_off_t;

typedef enum {
    CURLE_OK = 0,
    CURLE_UNSUPPORTED_PROTOCOL = 1,
    CURLE_URL_MALFORMAT = 3,
    CURLE_NOT_BUILT_IN = 4,
    CURLE_COULDNT_RESOLVE_PROXY = 5,
    CURLE_COULDNT_RESOLVE_HOST = 6,
    CURLE_COULDNT_CONNECT = 7,
    CURLE_WEIRD_SERVER_REPLY = 8,
    CURLE_HTTP2 = 16,
    CURLE_PARTIAL_FILE = 18,
    CURLE_WRITE_ERROR = 23,
    CURLE_UPLOAD_FAILED = 25,
    CURLE_OUT_OF_MEMORY = 27,
    CURLE_OPERATION_TIMEDOUT = 28,
    CURLE_SSL_CONNECT_ERROR = 35,
    CURLE_ABORTED_BY_CALLBACK = 42,
    CURLE_BAD_FUNCTION_ARGUMENT = 43,
    CURLE_INTERFACE_FAILED = 45,
    CURLE_UNKNOWN_OPTION = 48,
    CURLE_GOT_NOTHING = 52,
    CURLE_SSL_ENGINE_NOTFOUND = 53,
    CURLE_SSL_ENGINE_SETFAILED = 54,
    CURLE_SEND_ERROR = 55,
    CURLE_RECV_ERROR = 56,
    CURLE_SSL_CERTPROBLEM = 58,
    CURLE_SSL_CIPHER = 59,
    CURLE_PEER_FAILED_VERIFICATION = 60,
    CURLE_BAD_CONTENT_ENCODING = 61,
    CURLE_USE_SSL_FAILED = 64,
    CURLE_SEND_FAIL_REWIND = 65,
    CURLE_SSL_CACERT_BADFILE = 77,
    CURLE_SSL_SHUTDOWN_FAILED = 80,
    CURLE_SSL_CRL_BADFILE = 82,
    CURLE_SSL_ISSUER_ERROR = 83,
    CURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CURLE_SSL_INVALIDCERTSTATUS = 91,
    CURLE_HTTP2_STREAM = 92,
    CURLE_HTTP3 = 95,
    CURLE_QUIC_CONNECT_ERROR = 96,
    CURLE_PROXY = 97,
    CURLE_SSL_CLIENTCERT = 98,
    CURLE_TOO_LARGE = 100
} ccurl_code;

typedef enum {
    CURLINFO_SSL_VERIFYRESULT = 0x20000D,
    CURLINFO_HTTP_CONNECTCODE = 0x200016,
    CURLINFO_OS_ERRNO = 0x200019,
    CURLINFO_NUM_CONNECTS = 0x20001A,
    CURLINFO_HTTP_VERSION = 0x20002E,
    // Whether the transfer used a proxy; always 0 before libcurl 8.7.
    CURLINFO_USED_PROXY = 0x200042
} ccurl_info_long;

// The default trust roots of libcurl: a file and a directory. Available since libcurl 7.84.
typedef enum { CURLINFO_CAINFO = 0x10003D, CURLINFO_CAPATH = 0x10003E } ccurl_info_string;

// Sizes are in bytes, and times in microseconds since the beginning of the transfer.
typedef enum {
    CURLINFO_SIZE_UPLOAD_T = 0x600007,
    CURLINFO_SIZE_DOWNLOAD_T = 0x600008,
    CURLINFO_TOTAL_TIME_T = 0x600032,
    CURLINFO_NAMELOOKUP_TIME_T = 0x600033,
    CURLINFO_CONNECT_TIME_T = 0x600034,
    CURLINFO_PRETRANSFER_TIME_T = 0x600035,
    CURLINFO_STARTTRANSFER_TIME_T = 0x600036,
    CURLINFO_APPCONNECT_TIME_T = 0x600038
} ccurl_info_off_t;

ccurl_easy *ccurl_easy_init(void);
void ccurl_easy_cleanup(ccurl_easy *easy);
void ccurl_easy_reset(ccurl_easy *easy);

// These functions call `curl_easy_setopt`, which Swift cannot call since it is variadic.
ccurl_code ccurl_easy_setopt_long(ccurl_easy *easy, ccurl_option_long option, long value);
ccurl_code ccurl_easy_setopt_string(ccurl_easy *easy, ccurl_option_string option, const char *value);
ccurl_code ccurl_easy_setopt_object(ccurl_easy *easy, ccurl_option_object option, const void *value);
ccurl_code ccurl_easy_setopt_off_t(ccurl_easy *easy, ccurl_option_off_t option, int64_t value);

// The results of callbacks, other than a number of bytes.
enum { CURL_READFUNC_ABORT = 0x10000000, CURL_READFUNC_PAUSE = 0x10000001, CURL_WRITEFUNC_PAUSE = 0x10000001 };
enum { CURL_SEEKFUNC_OK = 0, CURL_SEEKFUNC_FAIL = 1 };
enum { CURL_PREREQFUNC_OK = 0, CURL_PREREQFUNC_ABORT = 1 };

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*ccurl_prereq_callback)(void *context, char *address, char *own_address, int port, int own_port);

// Sets the context of a transfer (CURLOPT_PRIVATE) and the callbacks that receive it. Before libcurl 7.80, which added
// CURLOPT_PREREQFUNCTION, `prereq` is not called. `read` and `seek` are NULL for a request without a body.
void ccurl_easy_set_callbacks(
    ccurl_easy *easy, void *context, ccurl_data_callback header, ccurl_data_callback write, ccurl_prereq_callback prereq,
    ccurl_data_callback read, ccurl_seek_callback seek);
// The context of a transfer; NULL for a transfer that libcurl started by itself.
void *ccurl_easy_context(ccurl_easy *easy);

// How a transfer gets its connections. It must be valid as long as the handle.
typedef struct {
    // The system's error if a socket could not be opened, otherwise 0. While it is ECANCELED, no socket is opened.
    int error;
    // Called with the context of the transfer before an address is looked up (`has_address` is 0), and before each socket
    // is opened (1). A result other than 0 prevents that.
    int (*connects)(void *context, int has_address);
    // Called with the context of the transfer, or NULL, and a socket that was opened.
    void (*opens)(void *context, int socket);
    // Closes a socket; called when the connection ends, perhaps long after the transfer.
    int (*closes)(void *unused, int socket);
    ccurl_easy *easy;
} ccurl_connecting;
// Makes the transfer open its sockets so that child processes do not inherit them.
void ccurl_easy_set_connecting(ccurl_easy *easy, ccurl_connecting *connecting);

// 0 if the value is unknown.
long ccurl_easy_getinfo_long(ccurl_easy *easy, ccurl_info_long info);
int64_t ccurl_easy_getinfo_off_t(ccurl_easy *easy, ccurl_info_off_t info);
// NULL if the value is unknown.
const char *ccurl_easy_getinfo_string(ccurl_easy *easy, ccurl_info_string info);

// The state of OpenSSL for the current connection of a transfer, valid as long as the connection; NULL without TLS, and with
// another library.
const void *ccurl_easy_ssl(ccurl_easy *easy);
// Whether the connection has agreed on HTTP/2. 0 for NULL.
int ccurl_ssl_uses_http2(const void *ssl);
// Whether OpenSSL has read bytes from the connection that were not read from it. 0 for NULL.
int ccurl_ssl_has_unread(const void *ssl);

// What of a transfer stays paused.
typedef enum { CURLPAUSE_CONT = 0, CURLPAUSE_RECV = 1 } ccurl_pause;
// Continues a transfer that a callback has paused; may call the callbacks at once.
ccurl_code ccurl_easy_pause(ccurl_easy *easy, ccurl_pause pause);

// The number of descriptors that the process may have; INT_MAX if there is no limit.
int ccurl_descriptor_limit(void);
// Whether the process can open this number of further descriptors, and keep those that are left to its other code.
int ccurl_has_descriptors(int count);
// Identifies an open connection.
typedef uint64_t ccurl_connection;
ccurl_connection ccurl_connection_between(const char *address, int port, int own_port);
// The current or last connection of a transfer, and the port of this end.
ccurl_connection ccurl_easy_connection(ccurl_easy *easy, int *own_port);

// Returns the extended list; NULL if there is no memory, and then the list is unchanged.
ccurl_slist *ccurl_slist_append(ccurl_slist *list, const char *text);
void ccurl_slist_free_all(ccurl_slist *list);

ccurl_url *ccurl_url_init(void);
void ccurl_url_cleanup(ccurl_url *url);
// Parses an absolute URL as a transfer would, without changing its path. Returns 0, or another number if the text is
// invalid.
int ccurl_url_parse(ccurl_url *url, const char *text);

// Makes a store of TLS sessions without a lock: one thread at a time may use its transfers, set it as their
// CURLOPT_SHARE, or remove it from them. NULL if there is no memory.
ccurl_share *ccurl_share_init(void);
// Frees a store, and returns 0; another number if a transfer still has it.
int ccurl_share_cleanup(ccurl_share *share);

ccurl_multi *ccurl_multi_init(void);
int ccurl_multi_cleanup(ccurl_multi *multi);
int ccurl_multi_add_handle(ccurl_multi *multi, ccurl_easy *easy);
int ccurl_multi_remove_handle(ccurl_multi *multi, ccurl_easy *easy);
typedef enum {
    CURLMOPT_MAXCONNECTS = 6,
    CURLMOPT_MAX_TOTAL_CONNECTIONS = 13,
    CURLMOPT_MAX_CONCURRENT_STREAMS = 16,
    CURLMOPT_RESOLVE_THREADS_MAX = 20,
    CURLMOPT_QUICK_EXIT = 21
} ccurl_multi_option;
int ccurl_multi_setopt_long(ccurl_multi *multi, ccurl_multi_option option, long value);

// The events that a transfer waits for at a socket.
enum { CURL_POLL_IN = 1, CURL_POLL_OUT = 2, CURL_POLL_REMOVE = 4 };
// The events at a socket.
enum { CURL_CSELECT_IN = 1, CURL_CSELECT_OUT = 2, CURL_CSELECT_ERR = 4 };
// Passed instead of a socket when the time that the timer callback set has passed.
enum { CURL_SOCKET_TIMEOUT = -1 };

typedef int (*ccurl_socket_callback)(ccurl_easy *easy, int socket, int events, void *context, void *unused);
typedef int (*ccurl_timer_callback)(ccurl_multi *multi, long milliseconds, void *context);
void ccurl_multi_set_callbacks(
    ccurl_multi *multi, void *context, ccurl_socket_callback socket, ccurl_timer_callback timer);
int ccurl_multi_socket_action(ccurl_multi *multi, int socket, int events);
// Returns 1 and the next finished transfer with its context and its result; 0 if there is none.
int ccurl_multi_next_finished(ccurl_multi *multi, ccurl_easy **easy, void **context, ccurl_code *result);

#endif
