#include "CTestPace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// With the thread sanitizer everything takes ten times as long, guards and timeouts excepted.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define IS_SLOW 1
#endif
#endif

#if IS_SLOW
enum { tests_for_each_processor = 1, fewest_tests = 2 };
#else
enum { tests_for_each_processor = 4, fewest_tests = 8 };
#endif

int ctest_pace_width(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long width = processors * tests_for_each_processor;
    return width < fewest_tests ? fewest_tests : (int)width;
}

// Before the first test, and before anything that reads the environment.
__attribute__((constructor)) static void set_width(void) {
    char text[16];
    snprintf(text, sizeof text, "%d", ctest_pace_width());
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", text, 0);
}
