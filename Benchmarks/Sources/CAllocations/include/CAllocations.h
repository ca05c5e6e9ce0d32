#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Starts to count the heap allocations of the whole process from 0.
///
/// Only with glibc, and not under a sanitizer, which brings an allocator of its own; elsewhere nothing is ever counted.
void allocations_start(void);

/// Stops counting and returns how many calls of malloc, calloc, realloc and their aligned kin there were.
uint64_t allocations_stop(void);

/// The bytes that the process holds on the heap, over all arenas; 0 where that cannot be known.
uint64_t heap_bytes_in_use(void);

/// Returns free pages of the heap to the system, so that resident memory says what is in use.
void heap_trim(void);

#endif
