// What Glibc's Swift module lacks. Declarations only use plain types, so that no feature macro is needed to read them.
#ifndef C_SYSTEM_CALLS_H
#define C_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "CProcesses.h"

// renameat2(2) and its flags.
extern const unsigned int cs_rename_noreplace;
extern const unsigned int cs_rename_exchange;
int cs_renameat2(int old_directory, const char *old_name, int new_directory, const char *new_name, unsigned int flags);

// The type of a file system as statfs(2) returns it in f_type; -1 and errno on failure.
int64_t cs_statfs_type(const char *path);
// Likewise, as fstatfs(2) does.
int64_t cs_fstatfs_type(int file);

// 1 if something, even a single file, is mounted at exactly this path; 0 if not, or if the kernel does not report it
// (before 5.8); -1 and errno if statx(2) fails.
int cs_is_mount_point(const char *path);

// 1 if both paths, with symbolic links followed, lead to the same file in the same mount; 0 if not; 2 if it is the same
// file, but the kernel does not report mounts (before 5.8); -1 and errno if statx(2) fails.
int cs_is_same_place(const char *one, const char *other);

// Extended attributes, xattr(7): lgetxattr(2), fgetxattr(2), fsetxattr(2), fremovexattr(2).
ssize_t cs_lgetxattr(const char *path, const char *name, void *bytes, size_t size);
ssize_t cs_fgetxattr(int descriptor, const char *name, void *bytes, size_t size);
int cs_fsetxattr(int descriptor, const char *name, const void *bytes, size_t size);
int cs_fremovexattr(int descriptor, const char *name);

// timerfd_create(2) on CLOCK_MONOTONIC, close-on-exec; timerfd_settime(2) with an absolute time, 0 disarms.
int cs_timerfd_create(void);
int cs_timerfd_set(int descriptor, int64_t nanoseconds);

// sem_init(3) and the calls on it, all of which succeed; timed waits are until an absolute time of CLOCK_MONOTONIC, and
// false if that came first. A number, because Swift shares no pointers between threads.
uintptr_t cs_semaphore_create(void);
void cs_semaphore_destroy(uintptr_t semaphore);
void cs_semaphore_post(uintptr_t semaphore);
void cs_semaphore_wait(uintptr_t semaphore);
bool cs_semaphore_wait_until(uintptr_t semaphore, int64_t nanoseconds);

// futex(2), among the threads of this process: sleeps while the word has this value, or wakes one that sleeps.
void cs_futex_wait(const void *word, uint32_t value);
void cs_futex_wake(const void *word);
// What a thread does while it waits for another processor.
static inline void cs_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// O_PATH of open(2).
extern const int cs_o_path;

// The calling thread's id in the kernel: gettid(2).
pid_t cs_gettid(void);

// Names the calling thread: pthread_setname_np(3), 15 bytes at most.
void cs_name_thread(const char *name);

// sched_setattr(2): sets how long the calling thread may run before others do, in nanoseconds; 0: the usual time.
// Changes nothing if the thread has another policy than the normal one, or a negative nice value, or if the kernel
// refuses, or has refused before. Threads and processes that it starts get the usual slice.
void cs_set_slice(int64_t nanoseconds);
// The slice of a thread of any process, 0: of the calling one; -1 if it cannot be read. Kernels before 6.12 report 0.
int64_t cs_slice(pid_t thread);
// False in a seccomp sandbox, which may end a process for the attempt.
bool cs_may_set_slice(void);

// Whether the thread sanitizer is linked.
bool cs_has_tsan(void);

// Between cs_begin_keeping and cs_end_keeping, `task` is kept and not handed to Swift's pool, if the thread resumes it
// and it belongs there; cs_run_kept runs it until it suspends. cs_begin_keeping returns false, and nothing is kept, if
// the thread has not promised to run what it keeps, if enough threads are running such tasks, or if the runtime's hook
// that this takes does not exist, or is the program's.
bool cs_begin_keeping(uintptr_t task);
void cs_end_keeping(void);
void cs_run_kept(void);
bool cs_has_kept(void);
void cs_promise_to_run_kept(void);

// How many handlers of this library the calling thread is inside of.
int cs_handler_depth(void);
void cs_handler_enter(void);
void cs_handler_leave(void);
// How many codecs it is inside of. Each counts as a handler, too.
int cs_codec_depth(void);
void cs_codec_enter(void);
void cs_codec_leave(void);

// A mark that a thread sets on itself.
void cs_mark_thread(void);
bool cs_is_marked_thread(void);

// Whether the thread is delivering events that it has read.
void cs_set_delivering(bool value);
bool cs_is_delivering(void);

#endif
