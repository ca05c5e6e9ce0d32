// Limits the number of concurrent tests in a process, and raises the limit of descriptors.
//
// Swift Testing starts all tests at once. Each step of a test then waits for more than a thousand other tests, and the
// deadlines that guard against hangs are missed. The limit is an environment variable of Swift Testing; nothing changes
// in versions without it, or if it is already set.

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

// With the thread sanitizer everything takes ten times as long, except guards and timeouts.
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

static int width_of_pace(void) {
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    long width = processors * tests_for_each_processor;
    return width < fewest_tests ? fewest_tests : (int)width;
}

// A Mac's shell permits 256 descriptors; a test with a thousand concurrent calls needs more.
static void raise_descriptor_limit(void) {
    const rlim_t wanted = 4096;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return;
    struct rlimit raised = { wanted, limit.rlim_max < wanted ? wanted : limit.rlim_max };
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return;
    // Only a privileged process may raise the upper limit.
    raised = (struct rlimit){ limit.rlim_max < wanted ? limit.rlim_max : wanted, limit.rlim_max };
    setrlimit(RLIMIT_NOFILE, &raised);
}

// Runs before the first test, and before any code that reads the environment.
__attribute__((constructor)) static void prepare_process(void) {
    raise_descriptor_limit();
    char text[16];
    snprintf(text, sizeof text, "%d", width_of_pace());
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", text, 0);
}
