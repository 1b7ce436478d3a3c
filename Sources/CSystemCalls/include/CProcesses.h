// What Glibc's Swift module lacks for programs: signals, wake-ups and children. Included by CSystemCalls.h.
#ifndef C_PROCESSES_H
#define C_PROCESSES_H

#include <signal.h>
#include <stdbool.h>

// signalfd(2), close-on-exec and non-blocking.
int cs_signalfd(const sigset_t *signals);
// The number of a signal that arrived, 0 if there was none, -1 and errno on failure. Reports whether the kernel sent
// it, as it does when somebody presses a key. Skips the SIGPIPE of this process's own writes.
int cs_signalfd_read(int descriptor, bool *is_from_kernel);

// Whether a signal is ignored: sigaction(2).
bool cs_is_ignored(int signal);

// eventfd(2), close-on-exec and non-blocking.
int cs_eventfd(void);

// memfd_create(2), close-on-exec.
int cs_memfd_create(const char *name);

// pipe2(2), close-on-exec.
int cs_pipe(int descriptors[2]);

// environ(7).
char **cs_environment(void);

// The program's arguments, as main gets them; 0 and NULL if the C library does not pass them.
int cs_argument_count(void);
char **cs_arguments(void);

// Columns and rows of a terminal: ioctl(2) with TIOCGWINSZ; -1 and errno on failure.
int cs_window_size(int descriptor, int *columns, int *rows);

// cs_is_forked: true in a process that was forked from one that used the library, and has not called exec. The first
// call of cs_fork_watch registers the mark with pthread_atfork(3).
void cs_fork_watch(void);
// Changes with each fork(3), after which a child may share this process's open descriptors. Children made by _Fork or
// clone(2) are not counted.
unsigned cs_fork_count(void);
bool cs_is_forked(void);

#endif
