#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
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
