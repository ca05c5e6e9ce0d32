#ifndef CTEST_PACE_H
#define CTEST_PACE_H

// Limits the number of concurrent tests in a process, and raises the limit of descriptors.
//
// Swift Testing starts all tests at once. Each step of a test then waits for more than a thousand other tests, and the
// deadlines that guard against hangs are missed. The limit is an environment variable of Swift Testing; nothing changes
// in versions without it, or if it is already set.

// The number of concurrent tests.
int ctest_pace_width(void);

#endif
