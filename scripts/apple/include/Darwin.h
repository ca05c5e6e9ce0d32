#ifndef DARWIN_H
#define DARWIN_H
#include <stddef.h>
#include <stdint.h>
typedef unsigned short mode_t;
typedef int dev_t;
typedef unsigned long long ino_t;
typedef long long off_t;
typedef long ssize_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef int pid_t;
typedef unsigned int socklen_t;
typedef unsigned char sa_family_t;
typedef unsigned int nfds_t;
typedef unsigned short in_port_t;
typedef unsigned int in_addr_t;
typedef long time_t;
typedef int suseconds_t;
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
struct stat {
    dev_t st_dev; mode_t st_mode; unsigned short st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid;
    struct timespec st_atimespec; struct timespec st_mtimespec; struct timespec st_ctimespec; off_t st_size;
};
int stat(const char *, struct stat *);
int fstat(int, struct stat *);
int lstat(const char *, struct stat *);
typedef struct _opaque_pthread_mutex_t { long __sig; char __opaque[56]; } pthread_mutex_t;
typedef struct _opaque_pthread_mutexattr_t { long __sig; char __opaque[8]; } pthread_mutexattr_t;
int pthread_mutex_init(pthread_mutex_t * restrict, const pthread_mutexattr_t * _Nullable restrict);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_destroy(pthread_mutex_t *);
#define O_RDONLY 0x0000
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_NOCTTY 0x00020000
#define O_CLOEXEC 0x01000000
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08
#define ENOENT 2
#define EINTR 4
#define EBADF 9
#define EEXIST 17
#define ENOTDIR 20
#define EINVAL 22
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EADDRINUSE 48
#define EMSGSIZE 40
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOTCONN 57
#define ECONNREFUSED 61
#define ENOTSUP 45
#define ENOSYS 78
#define EOVERFLOW 84
struct flock { off_t l_start; off_t l_len; pid_t l_pid; short l_type; short l_whence; };
int flock(int, int);
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
int ftruncate(int, off_t);
int fsync(int);
int mkdir(const char *, mode_t);
int fchmod(int, mode_t);
int fchown(int, uid_t, gid_t);
typedef uint64_t rlim_t;
struct rlimit { rlim_t rlim_cur; rlim_t rlim_max; };
#define RLIMIT_FSIZE 1
int getrlimit(int, struct rlimit *);
int link(const char *, const char *);
int unlink(const char *);
int rename(const char *, const char *);
void *memchr(const void *, int, size_t);
void *memcpy(void *, const void *, size_t);
int memcmp(const void *, const void *, size_t);
char *strdup(const char *);
char *strerror(int);
void free(void *);
void exit(int) __attribute__((noreturn));
void abort(void) __attribute__((noreturn));
uid_t geteuid(void);
int mkfifo(const char *, mode_t);
int usleep(unsigned int);
int isatty(int);
unsigned int sleep(unsigned int);
typedef struct dl_info { const char *dli_fname; void *dli_fbase; const char *dli_sname; void *dli_saddr; } Dl_info;
int dladdr(const void *, Dl_info *);
#define AF_UNIX 1
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_LINGER 0x0080
#define SO_NOSIGPIPE 0x1022
#define SO_RCVTIMEO 0x1006
#define IPPROTO_TCP 6
#define TCP_NODELAY 1
#define F_GETFL 3
#define F_SETFL 4
#define F_SETFD 2
#define FD_CLOEXEC 1
#define SHUT_WR 1
#define SHUT_RDWR 2
#define POLLIN 0x0001
#define POLLOUT 0x0004
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct sockaddr_storage { uint8_t ss_len; sa_family_t ss_family; char pad[126]; };
struct in_addr { in_addr_t s_addr; };
struct in6_addr { uint8_t b[16]; };
struct sockaddr_in {
    uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr; char sin_zero[8];
};
struct sockaddr_in6 {
    uint8_t sin6_len; sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr; uint32_t sin6_scope_id;
};
struct sockaddr_un { unsigned char sun_len; sa_family_t sun_family; char sun_path[104]; };
struct linger { int l_onoff; int l_linger; };
struct pollfd { int fd; short events; short revents; };
int socket(int,int,int);
int socketpair(int,int,int,int*);
int bind(int,const struct sockaddr *,socklen_t);
int listen(int,int);
int connect(int,const struct sockaddr*,socklen_t);
int accept(int, struct sockaddr * _Nullable restrict, socklen_t * _Nullable restrict);
int getsockname(int, struct sockaddr * restrict, socklen_t * restrict);
ssize_t recv(int, void *, size_t, int);
ssize_t send(int, const void *, size_t, int);
int shutdown(int,int);
int poll(struct pollfd *, nfds_t, int);
int setsockopt(int,int,int,const void*,socklen_t);
int inet_pton(int,const char*restrict,void*restrict);
typedef struct CFStreamClientContext {
    long version; void * _Nullable info; void * (* _Nullable retain)(void *);
    void (* _Nullable release)(void *); void * _Nullable copyDescription;
} CFStreamClientContext;
#endif
