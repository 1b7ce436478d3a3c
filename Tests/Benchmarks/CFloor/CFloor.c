#define _GNU_SOURCE
#include "CFloor.h"

#include "Guarded.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

int64_t cf_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

void cf_sleep_until(int64_t moment) {
    struct timespec time = {.tv_sec = moment / 1000000000LL, .tv_nsec = moment % 1000000000LL};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL) == EINTR) {
    }
}

void cf_die_with_parent(void) { prctl(PR_SET_PDEATHSIG, SIGKILL); }

int failed(const char *what) {
    fprintf(stderr, "benchmarks: C floor: %s: %s\n", what, strerror(errno));
    return 1;
}

int format(char *text, size_t size, sample value) {
    return snprintf(text, size, "{\"counter\":%lld,\"sent\":%lld,\"note\":\"lamp\"}\n", value.counter, value.sent);
}

bool parse(const char *text, sample *value) {
    return sscanf(text, "{\"counter\":%lld,\"sent\":%lld", &value->counter, &value->sent) == 2;
}

static bool read_sample(const char *path, sample *value) {
    char text[path_size];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return false;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return false;
    text[count] = 0;
    return parse(text, value);
}

// A temporary file beside it, then rename(2): the plain way.
static bool replace(const char *temporary, const char *path, sample value, bool syncs) {
    char text[256];
    int length = format(text, sizeof text, value);
    int file = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) return false;
    bool is_written = write(file, text, (size_t)length) == length && (!syncs || fsync(file) == 0);
    close(file);
    return is_written && rename(temporary, path) == 0;
}

static void report(sample value) {
    char line[96];
    int length = snprintf(line, sizeof line, "%lld %lld %lld\n", value.counter, (long long)cf_now(), value.sent);
    if (write(STDOUT_FILENO, line, (size_t)length) != length) exit(failed("write"));
}

typedef enum { every, first, none } reported;

static int view(const char *target, bool sees_closing, reported reported, bool is_guarded) {
    char directory[path_size];
    if (snprintf(directory, sizeof directory, "%s", target) >= path_size) return failed("the path is too long");
    char *slash = strrchr(directory, '/');
    if (!slash) return failed("the path has no directory");
    *slash = 0;
    const char *name = slash + 1;
    int events = inotify_init1(IN_CLOEXEC);
    if (events < 0) return failed("inotify_init1");
    uint32_t mask = is_guarded ? guarded_mask : sees_closing ? IN_MOVED_TO | IN_CLOSE_WRITE : IN_MOVED_TO;
    if (inotify_add_watch(events, directory, mask) < 0) return failed(directory);

    char buffer[65536] __attribute__((aligned(8)));
    int alarm = is_guarded ? guarded_alarm() : -1;
    if (is_guarded && alarm < 0) return failed("timerfd_create");
    pace pace = {0};
    long long last = -1;
    bool is_told = true;
    for (;;) {
        sample value;
        if (is_told && (is_guarded ? guarded_read(target, &value) : read_sample(target, &value)) &&
            value.counter != last) {
            if (is_guarded) guarded_set(alarm);
            last = value.counter;
            if (reported == every || (reported == first && value.counter == 0)) report(value);
        }
        if (is_guarded) guarded_rest(&pace);
        ssize_t count = read(events, buffer, sizeof buffer);
        if (count <= 0) return failed("read");
        is_told = false;
        for (char *place = buffer; place < buffer + count;) {
            struct inotify_event *event = (struct inotify_event *)(void *)place;
            if (event->mask & IN_Q_OVERFLOW || (event->len > 0 && strcmp(event->name, name) == 0)) is_told = true;
            place += sizeof *event + event->len;
        }
    }
}

int cf_view(const char *target, bool sees_closing, bool is_quiet, bool is_guarded) {
    return view(target, sees_closing, is_quiet ? first : every, is_guarded);
}

// If the observer fails, the process ends: without an observer, the figures would be those of another program.
static void *know(void *path) { exit(view(path, true, none, true)); }

// A process that uses the library knows the current value of what it changes. `path` must stay valid.
static bool keep_knowing(const char *path) {
    pthread_t thread;
    int error = pthread_create(&thread, NULL, know, (void *)(uintptr_t)path);
    if (error) errno = error;
    return !error;
}

int cf_write(const char *target, bool syncs, bool is_guarded, double rate, long count, int64_t first, double seconds) {
    char temporary[path_size];
    guarded guarded;
    if (is_guarded && !(guarded_open(&guarded, target) && keep_knowing(target))) return failed(target);
    if (snprintf(temporary, sizeof temporary, "%s.%d", target, getpid()) >= path_size) return failed("the path");
    int64_t(*log)[2] = calloc((size_t)count + 1, sizeof *log);
    if (!log) return failed("calloc");
    int64_t start = cf_now(), next = start;
    uint64_t random = 88172645463325252ULL ^ (uint64_t)start;
    long done = 0;
    for (; done < count; done++) {
        if (rate > 0) {
            random ^= random << 13, random ^= random >> 7, random ^= random << 17;
            next += (int64_t)(1e9 / rate * (0.5 + (double)(random % 1000) / 1000.0));
            cf_sleep_until(next);
        }
        int64_t sent = cf_now();
        if (rate <= 0 && (double)(sent - start) > seconds * 1e9) break;
        sample value = {first + done, sent};
        bool is_written =
            is_guarded ? guarded_write(&guarded, value, syncs) : replace(temporary, target, value, syncs);
        if (!is_written) return failed(target);
        log[done][0] = sent;
        log[done][1] = cf_now();
    }
    for (long index = 0; index < done; index++) {
        printf("%lld %lld %lld\n", (long long)first + index, (long long)log[index][0], (long long)log[index][1]);
    }
    free(log);
    return fflush(stdout) == 0 ? 0 : failed("write");
}

static long update_plainly(const char *path, double seconds) {
    char lock_path[path_size], temporary[path_size];
    if (snprintf(lock_path, sizeof lock_path, "%s.lock", path) >= path_size ||
        snprintf(temporary, sizeof temporary, "%s.%d", path, getpid()) >= path_size)
        return -failed("the path");
    int lock = open(lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (lock < 0) return -failed(lock_path);
    long done = 0;
    for (int64_t end = cf_now() + (int64_t)(seconds * 1e9); cf_now() < end; done++) {
        sample value;
        if (flock(lock, LOCK_EX)) return -failed("flock");
        if (!read_sample(path, &value)) return -failed(path);
        value.counter += 1;
        if (!replace(temporary, path, value, false)) return -failed(path);
        flock(lock, LOCK_UN);
    }
    close(lock);
    return done;
}

static long update_guarded(const char *path, double seconds) {
    guarded guarded;
    if (!(guarded_open(&guarded, path) && keep_knowing(path))) return -failed(path);
    long done = 0;
    for (int64_t end = cf_now() + (int64_t)(seconds * 1e9); cf_now() < end; done++) {
        if (!guarded_add_one(&guarded)) return -failed(path);
    }
    return done;
}

long cf_update(const char *directory, bool is_guarded, double seconds) {
    static char path[path_size];
    if (snprintf(path, sizeof path, "%s/value", directory) >= path_size) return -failed("the path");
    return is_guarded ? update_guarded(path, seconds) : update_plainly(path, seconds);
}

int cf_get(const char *target) {
    sample value;
    char text[256];
    if (!read_sample(target, &value)) return failed(target);
    int length = format(text, sizeof text, value);
    return write(STDOUT_FILENO, text, (size_t)length) == length ? 0 : failed("write");
}
