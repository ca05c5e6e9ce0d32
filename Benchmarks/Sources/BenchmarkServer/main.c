#include "CServer.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

// The server in a separate process, so that its cost isn't measured as the client's:
//
//     BenchmarkServer [CERTIFICATE KEY [h2]]
//
// It prints its port, and for each line of its standard input the connections and the requests over HTTP/1.1 and HTTP/2
// that it has accepted, and the nanoseconds of its processor time. It ends at the end of its standard input, so that it
// never outlives the process that started it.

int main(int count, char **arguments) {
    signal(SIGPIPE, SIG_IGN);
    int offers_http2 = count > 3 && strcmp(arguments[3], "h2") == 0;
    server *server = count > 2 ? server_start(NULL, arguments[1], arguments[2], offers_http2)
        : server_start(NULL, NULL, NULL, 0);
    if (server == NULL) {
        fputs("BenchmarkServer: needs Linux, and for TLS OpenSSL and a certificate with its key\n", stderr);
        return 1;
    }
    printf("%d\n", server_port(server));
    fflush(stdout);
    char line[64];
    while (fgets(line, sizeof line, stdin) != NULL) {
        struct timespec time;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
        server_counts counts = server_get_counts(server);
        printf("%llu %llu %llu %lld\n", (unsigned long long)counts.connections, (unsigned long long)counts.requests1,
               (unsigned long long)counts.requests2, (long long)time.tv_sec * 1000000000 + time.tv_nsec);
        fflush(stdout);
    }
    return 0;
}
