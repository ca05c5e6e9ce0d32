#ifndef CTEST_SYSTEM_H
#define CTEST_SYSTEM_H

// Parts of the C library that tests make fail or wait: what an executable defines takes precedence over the library's
// for everything that the process loads, libcurl included. Only with glibc, and without a sanitizer, which does the same.

// Whether the functions below have an effect.
int ctest_can_interpose(void);

// Has every look-up of a name wait, until it is released. `begun` is called for each, on the thread that looks up.
// Returns -1 if too many names are held.
int ctest_hold_name(const char *name, void (*begun)(void *context), void *context);

// Lets the look-ups go on, which find 127.0.0.1, and returns when there is none left.
void ctest_release_name(int held);

// Has the calling thread start no other thread, or start them again.
void ctest_refuse_threads(int refuses);

// Forks, and returns in the parent what the body returned in the child, or -1. The child has no other thread.
int ctest_in_child(int (*body)(void *context), void *context);

#endif
