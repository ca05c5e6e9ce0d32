#ifndef C_INSTRUCTIONS_H
#define C_INSTRUCTIONS_H

#include <stdint.h>

/// Starts to count the instructions that this thread executes outside the kernel.
///
/// Returns a handle for `instructions_stop`, or −1 where the machine or the system doesn't permit counting.
int instructions_start(void);

/// Stops counting, releases the handle, and returns the number of instructions; −1 if unknown.
int64_t instructions_stop(int handle);

#endif
