#ifndef CTEST_SYSTEM_H
#define CTEST_SYSTEM_H

// Functions of the C library that tests can make fail or wait. The definitions of an executable take precedence over
// the library's in the whole process, libcurl included. Only with glibc, and without a sanitizer, which overrides them.

// Whether the functions below have an effect.
int ctest_can_interpose(void);

// Makes look-ups of a name wait until they are released. `begun` is called for each, on the thread of the look-up.
// Returns -1 if too many names are held.
int ctest_hold_name(const char *name, void (*begun)(void *context), void *context);

// Releases the look-ups, which return 127.0.0.1, and returns when all have ended.
void ctest_release_name(int held);

// Makes starting threads fail on the calling thread, or work again.
void ctest_refuse_threads(int refuses);

// Forks, and returns in the parent the result of `body` in the child, or -1. The child has one thread.
int ctest_in_child(int (*body)(void *context), void *context);

#endif
