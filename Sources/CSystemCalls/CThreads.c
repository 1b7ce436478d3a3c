#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// These tell the thread sanitizer what a semaphore orders, because it does not know sem_clockwait(3). Null if the
// sanitizer is not linked.
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

void cs_set_slice(int64_t nanoseconds) {
    if (atomic_load_explicit(&slice_refused, memory_order_relaxed)) return;
    const uint32_t normal_policy = 0;
    const uint64_t reset_on_fork = 1;
    struct scheduling scheduling = {0};
    if (syscall(SYS_sched_getattr, 0, &scheduling, sizeof scheduling, 0) != 0) return;
    if (scheduling.policy != normal_policy || scheduling.nice < 0) return;
    scheduling.flags |= reset_on_fork;
    scheduling.slice = (uint64_t)nanoseconds;
    if (syscall(SYS_sched_setattr, 0, &scheduling, 0) != 0) atomic_store(&slice_refused, true);
}

// Both may fail, EAGAIN or EINTR: whoever waits looks at the word again.
void cs_futex_wait(const void *word, uint32_t value) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void cs_futex_wake(const void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
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

static _Thread_local bool is_delivering;

void cs_set_delivering(bool value) { is_delivering = value; }
bool cs_is_delivering(void) { return is_delivering; }
