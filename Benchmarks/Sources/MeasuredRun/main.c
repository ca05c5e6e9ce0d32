#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs a program, and writes its cost as the last line of its output:
//
//     MeasuredRun PROGRAM ARGUMENT...    the seconds of processor time, and the peak of the resident bytes
//
// It is a separate program since the system attributes the resident memory of the parent process to the new program,
// and this parent is small. It exits with the program's status.

int main(int count, char **arguments) {
    if (count < 2) { return 2; }
    pid_t child = fork();
    if (child == 0) {
        execvp(arguments[1], arguments + 1);
        perror(arguments[1]);
        _exit(127);
    }
    int status = 0;
    struct rusage usage;
    while (wait4(child, &status, 0, &usage) < 0) {
        if (errno == EINTR) { continue; }
        perror("MeasuredRun");
        return 1;
    }
    double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        + (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    // Linux counts kibibytes. Systems that count bytes don't run this program.
    printf("\n%.6f %lld\n", seconds, (long long)usage.ru_maxrss * 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
