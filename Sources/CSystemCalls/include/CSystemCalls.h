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

// The type of a file system as statfs(2) tells it in f_type; -1 and errno where it fails.
int64_t cs_statfs_type(const char *path);

// 1 where something is mounted at this very path, a file too, 0 where not, or where the kernel does not tell (before 5.8);
// -1 and errno where statx(2) fails.
int cs_is_mount_point(const char *path);

// 1 where both paths, through symbolic links, lead to the same file in the same mount, 0 where not, 2 where the kernel does
// not tell mounts (before 5.8) and it is the same file; -1 and errno where statx(2) fails.
int cs_is_same_place(const char *one, const char *other);

// Extended attributes, xattr(7): lgetxattr(2), fgetxattr(2), fsetxattr(2), fremovexattr(2).
ssize_t cs_lgetxattr(const char *path, const char *name, void *bytes, size_t size);
ssize_t cs_fgetxattr(int descriptor, const char *name, void *bytes, size_t size);
int cs_fsetxattr(int descriptor, const char *name, const void *bytes, size_t size);
int cs_fremovexattr(int descriptor, const char *name);

// timerfd_create(2) on CLOCK_MONOTONIC, close-on-exec; timerfd_settime(2) with an absolute time, 0 disarms.
int cs_timerfd_create(void);
int cs_timerfd_set(int descriptor, int64_t nanoseconds);

// O_PATH of open(2).
extern const int cs_o_path;

// The thread's id as the kernel names it: gettid(2).
pid_t cs_gettid(void);

// Names the calling thread: pthread_setname_np(3), 15 bytes at most.
void cs_name_thread(const char *name);

// sched_setattr(2): how long the calling thread may run before others do, in nanoseconds; 0: as long as is usual.
// False where it was left as it was: it has another policy than the normal one, is privileged, or the kernel refuses.
// Threads and processes that it makes get the usual slice.
bool cs_set_slice(int64_t nanoseconds);
// The slice of a thread of any process, 0: of this one; -1 where there is none to be had. Kernels before 6.12 tell 0.
int64_t cs_slice(pid_t thread);
// False in a sandbox of system calls, which may end a process for trying.
bool cs_may_set_slice(void);

// Marks for the thread sanitizer, which does not see the standard library's Mutex; nothing where it is not linked.
// Inline: they are at every lock.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));
static inline void cs_tsan_acquire(void *address) {
    if (__tsan_acquire) __tsan_acquire(address);
}
static inline void cs_tsan_release(void *address) {
    if (__tsan_release) __tsan_release(address);
}
bool cs_has_tsan(void);

// How many handlers of this library the calling thread is inside of.
int cs_handler_depth(void);
void cs_handler_enter(void);
void cs_handler_leave(void);
// Of how many codecs. Each counts as a handler, too.
int cs_codec_depth(void);
void cs_codec_enter(void);
void cs_codec_leave(void);

// A mark that a thread sets on itself.
void cs_mark_thread(void);
bool cs_is_marked_thread(void);

// True in a process that was forked from one that used the library, and has not called exec.
// The first call of cs_fork_watch registers the mark with pthread_atfork(3).
void cs_fork_watch(void);
// Changes whenever a child may have come to share what this process has open.
unsigned cs_fork_count(void);
bool cs_is_forked(void);

#endif
