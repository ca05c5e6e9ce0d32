#define _GNU_SOURCE
#include "CTestSystem.h"

#include <stdlib.h>

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__GLIBC__)

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

int ctest_in_child(int (*body)(void *context), void *context) {
    pid_t child = fork();
    if (child < 0) { return -1; }
    if (child == 0) { _exit(body(context)); }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) { return -1; }
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#else

int ctest_in_child(int (*body)(void *context), void *context) {
    (void)body;
    (void)context;
    return -1;
}

#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

enum { most_held = 32 };

struct held_name {
    char *name;
    void (*begun)(void *context);
    void *context;
    int waiting;
    int is_released;
};

static struct held_name names[most_held];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static __thread int refuses_threads = 0;

int ctest_can_interpose(void) { return 1; }

int ctest_hold_name(const char *name, void (*begun)(void *context), void *context) {
    pthread_mutex_lock(&lock);
    int held = -1;
    for (int index = 0; index < most_held && held < 0; index++) {
        if (names[index].name != NULL) { continue; }
        names[index] = (struct held_name){strdup(name), begun, context, 0, 0};
        held = index;
    }
    pthread_mutex_unlock(&lock);
    return held;
}

void ctest_release_name(int held) {
    if (held < 0 || held >= most_held) { return; }
    pthread_mutex_lock(&lock);
    names[held].is_released = 1;
    pthread_cond_broadcast(&changed);
    while (names[held].waiting > 0) { pthread_cond_wait(&changed, &lock); }
    free(names[held].name);
    names[held].name = NULL;
    pthread_mutex_unlock(&lock);
}

static int wait_if_held(const char *node) {
    int was_held = 0;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < most_held && !was_held; index++) {
        struct held_name *name = &names[index];
        if (name->name == NULL || name->is_released || strcasecmp(name->name, node) != 0) { continue; }
        was_held = 1;
        name->waiting++;
        name->begun(name->context);
        while (!name->is_released) { pthread_cond_wait(&changed, &lock); }
        name->waiting--;
        pthread_cond_broadcast(&changed);
    }
    pthread_mutex_unlock(&lock);
    return was_held;
}

typedef int look_up(const char *, const char *, const struct addrinfo *, struct addrinfo **);

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
    look_up *next = (look_up *)dlsym(RTLD_NEXT, "getaddrinfo");
    if (next == NULL) { return EAI_SYSTEM; }
    if (node != NULL && wait_if_held(node)) { node = "127.0.0.1"; }
    return next(node, service, hints, result);
}

void ctest_refuse_threads(int refuses) { refuses_threads = refuses; }

typedef int start_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    start_thread *next = (start_thread *)dlsym(RTLD_NEXT, "pthread_create");
    if (next == NULL || refuses_threads) { return EAGAIN; }
    return next(thread, attributes, run, argument);
}

#else

int ctest_can_interpose(void) { return 0; }

int ctest_hold_name(const char *name, void (*begun)(void *context), void *context) {
    (void)name;
    (void)begun;
    (void)context;
    return -1;
}

void ctest_release_name(int held) { (void)held; }

void ctest_refuse_threads(int refuses) { (void)refuses; }

#endif
