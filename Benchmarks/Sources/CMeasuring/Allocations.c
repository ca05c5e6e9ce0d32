#include "CMeasuring.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define HAS_SANITIZER 1
#endif
#endif

#if defined(__linux__)
#include <features.h>
#endif

#if defined(__GLIBC__) && !defined(HAS_SANITIZER)

#include <errno.h>
#include <malloc.h>

// The second names of glibc's functions. An executable's malloc takes precedence over glibc's in all libraries of the
// process, the Swift runtime included, so nothing needs to be preloaded.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *pointer, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static atomic_bool is_counting = false;
static atomic_uint_fast64_t count = 0;

static inline void note(void) {
    if (atomic_load_explicit(&is_counting, memory_order_relaxed)) {
        atomic_fetch_add_explicit(&count, 1, memory_order_relaxed);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    note();
    return __libc_calloc(number, size);
}

void *realloc(void *pointer, size_t size) {
    note();
    return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **pointer, size_t alignment, size_t size) {
    note();
    void *memory = __libc_memalign(alignment, size);
    if (memory == NULL) return ENOMEM;
    *pointer = memory;
    return 0;
}

void allocations_start(void) {
    atomic_store(&count, 0);
    atomic_store(&is_counting, true);
}

uint64_t allocations_stop(void) {
    atomic_store(&is_counting, false);
    return atomic_load(&count);
}

uint64_t heap_bytes_in_use(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

void heap_trim(void) {
    malloc_trim(0);
}

void heap_keep_little(void) {
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

#else

void allocations_start(void) {}

uint64_t allocations_stop(void) { return 0; }

uint64_t heap_bytes_in_use(void) { return 0; }

void heap_trim(void) {}

void heap_keep_little(void) {}

#endif
