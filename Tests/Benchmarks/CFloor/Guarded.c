#define _GNU_SOURCE
#include "Guarded.h"

#include "CFloor.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

const uint32_t guarded_mask = IN_MODIFY | IN_ATTRIB | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE |
                              IN_DELETE_SELF | IN_MOVE_SELF | IN_EXCL_UNLINK;

static const int look_flags = O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC;

bool guarded_open(guarded *guarded, const char *target) {
    char control[path_size];
    const char *slash = strrchr(target, '/');
    if (!slash) return errno = EINVAL, false;
    int length = (int)(slash - target);
    if (snprintf(guarded->directory_path, path_size, "%.*s", length, target) >= path_size ||
        snprintf(control, path_size, "%.*s/.groupfile", length, target) >= path_size ||
        snprintf(guarded->lock_path, path_size, "%.*s/.groupfile/%s.lock", length, target, slash + 1) >= path_size ||
        snprintf(guarded->name, sizeof guarded->name, "%s", slash + 1) >= (int)sizeof guarded->name)
        return errno = ENAMETOOLONG, false;
    snprintf(guarded->temporary, sizeof guarded->temporary, "%s.%d.tmp", guarded->name, getpid());
    if (mkdir(control, 0700) && errno != EEXIST) return false;
    guarded->directory = open(guarded->directory_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    guarded->control = open(control, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    guarded->lock = open(guarded->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return guarded->directory >= 0 && guarded->control >= 0 && guarded->lock >= 0;
}

// Takes the lock, and looks whether there is still something at its path.
static bool acquire(guarded *guarded) {
    struct stat status;
    while (flock(guarded->lock, LOCK_EX)) {
        if (errno != EINTR) return false;
    }
    return !fstatat(AT_FDCWD, guarded->lock_path, &status, AT_SYMLINK_NOFOLLOW);
}

static bool read_text(int directory, const char *name, char *text, size_t size) {
    int file = openat(directory, name, look_flags);
    if (file < 0) return false;
    ssize_t count = pread(file, text, size - 1, 0);
    close(file);
    if (count > 0) text[count] = 0;
    return count > 0;
}

// What this process wrote last: while that is there, a look is enough. An observer in the same process asks for it,
// too.
static atomic_ulong own_inode;
static struct {
    sample value;
    struct timespec modified;
} own;

static bool is_own(const struct stat *status) {
    return status->st_ino == own_inode && status->st_mtim.tv_sec == own.modified.tv_sec &&
           status->st_mtim.tv_nsec == own.modified.tv_nsec;
}

// Writes the new file and looks at it; looks at what is there; exchanges the two; looks at what was displaced, or reads
// it, and removes it; and looks whether there is still a directory at its path.
static bool publish(guarded *guarded, sample value, bool syncs) {
    char text[256], displaced[256];
    struct stat status, made;
    int length = format(text, sizeof text, value);
    int file = openat(guarded->control, guarded->temporary,
                      O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool is_written = write(file, text, (size_t)length) == length && !fstat(file, &made) && (!syncs || !fsync(file)) &&
                      !fstatat(guarded->directory, guarded->name, &status, AT_SYMLINK_NOFOLLOW);
    close(file);
    if (!is_written ||
        renameat2(guarded->control, guarded->temporary, guarded->directory, guarded->name, RENAME_EXCHANGE))
        return false;
    bool is_judged = is_own(&status) ? !fstatat(guarded->control, guarded->temporary, &status, AT_SYMLINK_NOFOLLOW)
                                     : read_text(guarded->control, guarded->temporary, displaced, sizeof displaced);
    own.value = value;
    own.modified = made.st_mtim;
    own_inode = made.st_ino;
    return is_judged && !unlinkat(guarded->control, guarded->temporary, 0) && !stat(guarded->directory_path, &status);
}

bool guarded_write(guarded *guarded, sample value, bool syncs) {
    return acquire(guarded) && publish(guarded, value, syncs) && !flock(guarded->lock, LOCK_UN);
}

bool guarded_add_one(guarded *guarded) {
    char text[256];
    struct stat status;
    sample value;
    if (!acquire(guarded) || fstatat(guarded->directory, guarded->name, &status, AT_SYMLINK_NOFOLLOW)) return false;
    if (is_own(&status))
        value = own.value;
    else if (!read_text(guarded->directory, guarded->name, text, sizeof text) || !parse(text, &value))
        return false;
    value.counter += 1;
    return publish(guarded, value, false) && !flock(guarded->lock, LOCK_UN);
}

bool guarded_read(const char *path, sample *value) {
    char text[256];
    struct stat status;
    if (fstatat(AT_FDCWD, path, &status, AT_SYMLINK_NOFOLLOW)) return false;
    if (status.st_ino == own_inode) return false;
    return read_text(AT_FDCWD, path, text, sizeof text) && parse(text, value);
}

int guarded_alarm(void) { return timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC); }

void guarded_set(int alarm) {
    int64_t moment = cf_now() + 4000000;
    struct itimerspec time = {
        .it_value = {.tv_sec = moment / 1000000000LL, .tv_nsec = moment % 1000000000LL},
    };
    timerfd_settime(alarm, TFD_TIMER_ABSTIME, &time, NULL);
}

void guarded_rest(pace *pace) {
    enum { count = sizeof pace->reads / sizeof *pace->reads, closely = 62500 };
    int64_t now = cf_now();
    if (now - pace->reads[pace->next] < (int64_t)count * closely) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    pace->reads[pace->next] = now;
    pace->next = (pace->next + 1) % count;
}
