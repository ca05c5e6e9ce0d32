#ifndef C_ALLOCATIONS_H
#define C_ALLOCATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Starts to count the heap allocations of the whole process from 0.
///
/// Works with glibc only, and not under a sanitizer, which has its own allocator; elsewhere the count stays 0.
void allocations_start(void);

/// Stops counting, and returns the number of calls of malloc, calloc, realloc and their aligned variants.
uint64_t allocations_stop(void);

/// Returns the bytes on the heap of the process, over all arenas; 0 if unknown.
uint64_t heap_bytes_in_use(void);

/// Returns free pages of the heap to the system, so that resident memory is memory in use.
void heap_trim(void);

/// Returns the free end of each arena to the system as soon as it is larger than 128 KB, where heap_trim() cannot.
void heap_keep_little(void);

#endif
