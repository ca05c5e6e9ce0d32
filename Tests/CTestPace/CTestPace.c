#include "CTestPace.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { tests_for_each_processor = 4, fewest_tests = 8 };

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
