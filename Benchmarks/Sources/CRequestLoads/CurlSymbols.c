#define _GNU_SOURCE
#include "CurlSymbols.h"

#include <stddef.h>

#if defined(__linux__)

#include <dlfcn.h>
#include <pthread.h>

static struct curl_symbols symbols;
static int is_complete = 0;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find(void *library, void **function, const char *name) {
    *function = dlsym(library, name);
    return *function != NULL;
}

static int find_all(void *library) {
    return find(library, (void **)&symbols.global_init, "curl_global_init")
        && find(library, (void **)&symbols.easy_init, "curl_easy_init")
        && find(library, (void **)&symbols.easy_cleanup, "curl_easy_cleanup")
        && find(library, (void **)&symbols.easy_setopt, "curl_easy_setopt")
        && find(library, (void **)&symbols.easy_getinfo, "curl_easy_getinfo")
        && find(library, (void **)&symbols.multi_init, "curl_multi_init")
        && find(library, (void **)&symbols.multi_cleanup, "curl_multi_cleanup")
        && find(library, (void **)&symbols.multi_setopt, "curl_multi_setopt")
        && find(library, (void **)&symbols.multi_add_handle, "curl_multi_add_handle")
        && find(library, (void **)&symbols.multi_remove_handle, "curl_multi_remove_handle")
        && find(library, (void **)&symbols.multi_perform, "curl_multi_perform")
        && find(library, (void **)&symbols.multi_poll, "curl_multi_poll")
        && find(library, (void **)&symbols.multi_socket_action, "curl_multi_socket_action")
        && find(library, (void **)&symbols.multi_info_read, "curl_multi_info_read");
}

static void load(void) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_NOLOAD);
    if (library == NULL) { library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL); }
    is_complete = library != NULL && find_all(library) && symbols.global_init(global_all) == 0;
}

const struct curl_symbols *curl_symbols_find(void) {
    pthread_once(&once, load);
    return is_complete ? &symbols : NULL;
}

#else

const struct curl_symbols *curl_symbols_find(void) { return NULL; }

#endif
