// The floor: what a program in C does for the same purpose with the system calls that are needed, and nothing else. It
// has no guarantees beyond those of rename(2): no lock for a plain write, no comparison, no recovery.
//
// `is_guarded`: the floor makes the system calls that the library makes for its guarantees, in the same order, and does
// with their results only what the next call needs. A process that changes a value observes it, too. What the library
// takes beyond that is its own code.
//
// The value is {"counter":N,"sent":NS,"note":"lamp"}; times are CLOCK_MONOTONIC, in nanoseconds.
#ifndef C_FLOOR_H
#define C_FLOOR_H

#include <stdbool.h>
#include <stdint.h>

// clock_gettime(2).
int64_t cf_now(void);

// Sleeps until that moment: clock_nanosleep(2).
void cf_sleep_until(int64_t moment);

// The calling process is killed when the thread that started it ends: prctl(2).
void cf_die_with_parent(void);

// Watches the directory with inotify(7) and, when an event names the file, opens, reads and parses it; prints "counter
// received sent" for each new value, the first one included, with one write(2) a line.
// `sees_closing`: IN_CLOSE_WRITE beside IN_MOVED_TO, as a viewer needs that follows foreign writers, too.
// `is_quiet`: prints counter 0 only. Returns only if it fails, after it has said why.
int cf_view(const char *target, bool sees_closing, bool is_quiet, bool is_guarded);

// Writes COUNT values by way of a temporary file and rename(2), `rate` a second (0: as fast as it goes, for at most
// `seconds`), spaced by 0.5 to 1.5 of the period at random; `syncs`: with fsync(2) before the rename.
// Then prints "counter sent done" for each. Returns 0, or 1 where it fails.
int cf_write(const char *target, bool syncs, bool is_guarded, double rate, long count, int64_t first, double seconds);

// For `seconds`, adds one to the counter under flock(2) on a lock file, by way of rename(2). Returns how often, or -1
// if it fails.
long cf_update(const char *directory, bool is_guarded, double seconds);

// Opens, reads and parses the file, and prints what it holds. Returns 0, or 1 where it fails.
int cf_get(const char *target);

#endif
