#define _GNU_SOURCE
#include "CProcesses.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

int cs_signalfd(const sigset_t *signals) { return signalfd(-1, signals, SFD_CLOEXEC | SFD_NONBLOCK); }

int cs_signalfd_read(int descriptor, bool *is_from_kernel) {
    struct signalfd_siginfo info;
    ssize_t count;
    do {
        count = read(descriptor, &info, sizeof info);
    } while (count == (ssize_t)sizeof info && info.ssi_signo == SIGPIPE && info.ssi_pid == (uint32_t)getpid());
    if (count == (ssize_t)sizeof info) {
        *is_from_kernel = info.ssi_code == SI_KERNEL;
        return (int)info.ssi_signo;
    }
    return count < 0 && errno != EAGAIN ? -1 : 0;
}

bool cs_is_ignored(int signal) {
    struct sigaction action;
    return sigaction(signal, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int cs_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

int cs_memfd_create(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int cs_pipe(int descriptors[2]) { return pipe2(descriptors, O_CLOEXEC); }

char **cs_environment(void) { return environ; }

static int argument_count;
static char **arguments;

// glibc passes the arguments to constructors, too. Swift's CommandLine has none if /proc is not mounted.
#ifdef __GLIBC__
__attribute__((constructor)) static void keep_arguments(int count, char **vector) {
    argument_count = count;
    arguments = vector;
}
#endif

int cs_argument_count(void) { return argument_count; }
char **cs_arguments(void) { return arguments; }

int cs_window_size(int descriptor, int *columns, int *rows) {
    struct winsize size;
    if (ioctl(descriptor, TIOCGWINSZ, &size) != 0) return -1;
    *columns = size.ws_col;
    *rows = size.ws_row;
    return 0;
}

static atomic_bool forked;
static pthread_once_t fork_watch = PTHREAD_ONCE_INIT;

static void mark_forked(void) { atomic_store(&forked, true); }
// Counted before and after the fork: what another thread opens in between may be open in the child, too.
static atomic_uint forks;
static void count_fork(void) { atomic_fetch_add(&forks, 1); }

// A child that is made without fork(3), as by _Fork(3) or clone(2), runs no handlers. The kernel empties this page in
// every child that has memory of its own.
static const volatile char unwiped = 1;
static const volatile char *_Atomic wiped_in_child = &unwiped;

static void make_page(void) {
    size_t size = (size_t)sysconf(_SC_PAGESIZE);
    char *page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (madvise(page, size, MADV_WIPEONFORK) != 0) {
        munmap(page, size);
        return;
    }
    *page = 1;
    atomic_store(&wiped_in_child, page);
}

static void register_fork_mark(void) {
    make_page();
    pthread_atfork(count_fork, count_fork, mark_forked);
}

void cs_fork_watch(void) { pthread_once(&fork_watch, register_fork_mark); }
unsigned cs_fork_count(void) { return atomic_load(&forks); }
bool cs_is_forked(void) {
    return !*atomic_load_explicit(&wiped_in_child, memory_order_relaxed) ||
           atomic_load_explicit(&forked, memory_order_relaxed);
}
