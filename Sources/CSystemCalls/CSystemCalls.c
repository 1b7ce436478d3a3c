#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

const unsigned int cs_rename_noreplace = RENAME_NOREPLACE;
const unsigned int cs_rename_exchange = RENAME_EXCHANGE;
const int cs_o_path = O_PATH;

int cs_renameat2(int old_directory, const char *old_name, int new_directory, const char *new_name, unsigned int flags) {
    return renameat2(old_directory, old_name, new_directory, new_name, flags);
}

int64_t cs_statfs_type(const char *path) {
    struct statfs status;
    if (statfs(path, &status) != 0) return -1;
    return (int64_t)(uint32_t)status.f_type;
}

int64_t cs_fstatfs_type(int file) {
    struct statfs status;
    if (fstatfs(file, &status) != 0) return -1;
    return (int64_t)(uint32_t)status.f_type;
}

int cs_is_mount_point(const char *path) {
    // Older headers lack this constant.
    const uint64_t mount_root = 0x2000;
    struct statx status;
    if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, 0, &status) != 0) return -1;
    return (status.stx_attributes_mask & status.stx_attributes & mount_root) != 0;
}

int cs_is_same_place(const char *one, const char *other) {
    // Older headers lack this constant.
    const unsigned int mount_id = 0x1000;
    struct statx first, second;
    if (statx(AT_FDCWD, one, 0, STATX_INO | mount_id, &first) != 0) return -1;
    if (statx(AT_FDCWD, other, 0, STATX_INO | mount_id, &second) != 0) return -1;
    if (first.stx_ino != second.stx_ino) return 0;
    if (first.stx_dev_major != second.stx_dev_major || first.stx_dev_minor != second.stx_dev_minor) return 0;
    if (!(first.stx_mask & second.stx_mask & mount_id)) return 2;
    return first.stx_mnt_id == second.stx_mnt_id;
}

ssize_t cs_lgetxattr(const char *path, const char *name, void *bytes, size_t size) {
    return lgetxattr(path, name, bytes, size);
}

ssize_t cs_fgetxattr(int descriptor, const char *name, void *bytes, size_t size) {
    return fgetxattr(descriptor, name, bytes, size);
}

int cs_fsetxattr(int descriptor, const char *name, const void *bytes, size_t size) {
    return fsetxattr(descriptor, name, bytes, size, 0);
}

int cs_fremovexattr(int descriptor, const char *name) { return fremovexattr(descriptor, name); }

int cs_timerfd_create(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }

int cs_timerfd_set(int descriptor, int64_t nanoseconds) {
    struct itimerspec when = {0};
    when.it_value.tv_sec = nanoseconds / 1000000000;
    when.it_value.tv_nsec = nanoseconds % 1000000000;
    return timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &when, NULL);
}

// The thread sanitizer does not know sem_clockwait(3). Null if it is not linked.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

bool cs_has_tsan(void) { return __tsan_acquire != NULL; }

uintptr_t cs_semaphore_create(void) {
    sem_t *semaphore = malloc(sizeof *semaphore);
    if (!semaphore) abort();  // As Swift does without memory.
    sem_init(semaphore, 0, 0);
    return (uintptr_t)semaphore;
}

void cs_semaphore_destroy(uintptr_t semaphore) {
    sem_destroy((sem_t *)semaphore);
    free((sem_t *)semaphore);
}

void cs_semaphore_post(uintptr_t semaphore) {
    if (__tsan_release) __tsan_release((sem_t *)semaphore);
    sem_post((sem_t *)semaphore);
}

void cs_semaphore_wait(uintptr_t semaphore) {
    while (sem_wait((sem_t *)semaphore) != 0) {}  // EINTR.
    if (__tsan_acquire) __tsan_acquire((sem_t *)semaphore);
}

bool cs_semaphore_wait_until(uintptr_t semaphore, int64_t nanoseconds) {
    struct timespec end = {.tv_sec = nanoseconds / 1000000000, .tv_nsec = nanoseconds % 1000000000};
    while (sem_clockwait((sem_t *)semaphore, CLOCK_MONOTONIC, &end) != 0) {
        if (errno != EINTR) return false;
    }
    if (__tsan_acquire) __tsan_acquire((sem_t *)semaphore);
    return true;
}

pid_t cs_gettid(void) { return gettid(); }

void cs_name_thread(const char *name) { (void)pthread_setname_np(pthread_self(), name); }

// glibc declares this struct, sched_attr, only since 2.41.
struct scheduling {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t slice, deadline, period;
};

bool cs_may_set_slice(void) { return prctl(PR_GET_SECCOMP) == 0; }

int64_t cs_slice(pid_t thread) {
    struct scheduling scheduling = {0};
    if (syscall(SYS_sched_getattr, thread, &scheduling, sizeof scheduling, 0) != 0) return -1;
    return (int64_t)scheduling.slice;
}

// A process that was refused once is refused again, and a security module may log each attempt.
static atomic_bool slice_refused;

bool cs_set_slice(int64_t nanoseconds) {
    if (atomic_load_explicit(&slice_refused, memory_order_relaxed)) return false;
    const uint32_t normal_policy = 0;
    const uint64_t reset_on_fork = 1;
    struct scheduling scheduling = {0};
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) != 0) return false;
    if (scheduling.policy != normal_policy || scheduling.nice < 0) return false;
    scheduling.flags |= reset_on_fork;
    scheduling.slice = (uint64_t)nanoseconds;
    if (syscall(SYS_sched_setattr, 0, &scheduling, 0) == 0) return true;
    atomic_store(&slice_refused, true);
    return false;
}

// Both may fail, EAGAIN or EINTR: whoever waits looks at the word again.
void cs_futex_wait(const void *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void cs_futex_wake(const void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

// From Swift's runtime: the hook is called with each job for the global executor, and with what enqueues it there.
#define SWIFT_CALL __attribute__((swiftcall))
struct job;
typedef SWIFT_CALL void enqueue_function(struct job *job);
typedef SWIFT_CALL void enqueue_hook(struct job *job, enqueue_function *enqueue);
extern enqueue_hook *_Atomic swift_task_enqueueGlobal_hook __attribute__((weak));
// An executor is two words, and zero is the global one.
extern SWIFT_CALL void swift_job_run(struct job *job, void *executor, uintptr_t kind) __attribute__((weak));

// So many threads may run tasks at once. A task may have left the loop in which it was resumed, and go on for ever: most
// threads stay with handlers.
static const int most_running = 8;
static atomic_int running;

static _Thread_local bool runs_kept;
static _Thread_local struct job *wanted;
static _Thread_local struct job *kept;

static SWIFT_CALL void keep_or_enqueue(struct job *job, enqueue_function *enqueue) {
    if (job == wanted) {
        wanted = NULL;
        kept = job;
    } else {
        enqueue(job);
    }
}

void cs_promise_to_run_kept(void) { runs_kept = true; }
bool cs_has_kept(void) { return kept; }

// Counts the thread already: several may be here at once.
bool cs_begin_keeping(uintptr_t task) {
    if (!runs_kept || kept) return false;
    if (!&swift_task_enqueueGlobal_hook || !swift_job_run) return false;
    if (atomic_fetch_add(&running, 1) >= most_running) {
        atomic_fetch_sub(&running, 1);
        return false;
    }
    enqueue_hook *installed = NULL;
    if (!atomic_compare_exchange_strong(&swift_task_enqueueGlobal_hook, &installed, keep_or_enqueue) &&
        installed != keep_or_enqueue) {
        atomic_fetch_sub(&running, 1);
        return false;
    }
    wanted = (struct job *)task;
    return true;
}

// Another thread may be keeping, too: what it resumes after this goes to the pool. The runtime reads the hook once, and
// calls what it has read.
void cs_end_keeping(void) {
    wanted = NULL;
    if (!kept) atomic_fetch_sub(&running, 1);
    enqueue_hook *installed = keep_or_enqueue;
    atomic_compare_exchange_strong(&swift_task_enqueueGlobal_hook, &installed, NULL);
}

void cs_run_kept(void) {
    struct job *job = kept;
    if (!job) return;
    kept = NULL;
    swift_job_run(job, NULL, 0);
    atomic_fetch_sub(&running, 1);
}

static _Thread_local int handler_depth;

int cs_handler_depth(void) { return handler_depth; }
void cs_handler_enter(void) { handler_depth += 1; }
void cs_handler_leave(void) { handler_depth -= 1; }

static _Thread_local int codec_depth;

int cs_codec_depth(void) { return codec_depth; }

void cs_codec_enter(void) {
    codec_depth += 1;
    handler_depth += 1;
}

void cs_codec_leave(void) {
    codec_depth -= 1;
    handler_depth -= 1;
}

static _Thread_local bool marked_thread;

void cs_mark_thread(void) { marked_thread = true; }
bool cs_is_marked_thread(void) { return marked_thread; }

static atomic_bool forked;
static pthread_once_t fork_watch = PTHREAD_ONCE_INIT;

static void mark_forked(void) { atomic_store(&forked, true); }
// Counted before and after the fork: what another thread opens in between may be open in the child, too.
static atomic_uint forks;
static void count_fork(void) { atomic_fetch_add(&forks, 1); }

static void register_fork_mark(void) { pthread_atfork(count_fork, count_fork, mark_forked); }

void cs_fork_watch(void) { pthread_once(&fork_watch, register_fork_mark); }
unsigned cs_fork_count(void) { return atomic_load(&forks); }
bool cs_is_forked(void) { return atomic_load_explicit(&forked, memory_order_relaxed); }
