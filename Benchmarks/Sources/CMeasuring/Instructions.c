#include "CMeasuring.h"

#if defined(__linux__)

#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int instructions_start(void) {
    struct perf_event_attr attributes;
    memset(&attributes, 0, sizeof attributes);
    attributes.type = PERF_TYPE_HARDWARE;
    attributes.size = sizeof attributes;
    attributes.config = PERF_COUNT_HW_INSTRUCTIONS;
    attributes.disabled = 1;
    attributes.exclude_kernel = 1;
    attributes.exclude_hv = 1;
    // Pinned: an error instead of a count that is extrapolated from a share of the time.
    attributes.pinned = 1;
    int handle = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
    if (handle < 0) return -1;
    if (ioctl(handle, PERF_EVENT_IOC_ENABLE, 0) != 0) {
        close(handle);
        return -1;
    }
    return handle;
}

int64_t instructions_stop(int handle) {
    uint64_t count = 0;
    ioctl(handle, PERF_EVENT_IOC_DISABLE, 0);
    ssize_t length = read(handle, &count, sizeof count);
    close(handle);
    return length == sizeof count ? (int64_t)count : -1;
}

#else

int instructions_start(void) { return -1; }

int64_t instructions_stop(int handle) { return -1; }

#endif
