// What the guarded floor does differently: the system calls of the library.
#ifndef GUARDED_H
#define GUARDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { path_size = 4096 };

typedef struct {
    long long counter, sent;
} sample;

// Prints what failed, and why. Returns 1.
int failed(const char *what);
int format(char *text, size_t size, sample value);
bool parse(const char *text, sample *value);

// A process that changes a value. All descriptors stay open.
typedef struct {
    char directory_path[path_size], lock_path[path_size], name[256], temporary[300];
    int directory, control, lock;
} guarded;

bool guarded_open(guarded *guarded, const char *target);
bool guarded_write(guarded *guarded, sample value, bool syncs);
bool guarded_add_one(guarded *guarded);

// A process that observes a value: the events, a look before the file is opened, and the alarm that is set before a
// handler is called.
extern const uint32_t guarded_mask;
bool guarded_read(const char *path, sample *value);
int guarded_alarm(void);
void guarded_set(int alarm);

// When the latest reads of events happened: in a storm the reader rests for a millisecond.
typedef struct {
    int64_t reads[16];
    unsigned next;
} pace;
void guarded_rest(pace *pace);

#endif
