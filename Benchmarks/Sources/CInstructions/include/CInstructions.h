#ifndef C_INSTRUCTIONS_H
#define C_INSTRUCTIONS_H

#include <stdint.h>

/// Starts to count the instructions that this thread executes outside the kernel.
///
/// Returns a handle for `instructions_stop`, or −1 where the machine or the system does not count them for a process.
int instructions_start(void);

/// Stops counting, gives the handle back and returns how many instructions there were; −1 if that is not known.
int64_t instructions_stop(int handle);

#endif
