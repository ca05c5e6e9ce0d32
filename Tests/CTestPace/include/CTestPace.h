#ifndef CTEST_PACE_H
#define CTEST_PACE_H

// Lets a process that runs tests run a few of them at a time, with as many descriptors as those need.
//
// Swift Testing begins all of them at once. With more than a thousand that hand things from task to task, each step of
// each waits for a step of all others, and guards against hangs take that for one. The variable is one of Swift
// Testing's; where it is not known, or was set by somebody, nothing changes.

// How many tests run at a time.
int ctest_pace_width(void);

#endif
