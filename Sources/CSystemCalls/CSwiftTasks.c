#include "CSystemCalls.h"

#include <stdatomic.h>
#include <stddef.h>

// From Swift's runtime: the hook is called with each job for the global executor, and with the function that enqueues
// it there.
#define SWIFT_CALL __attribute__((swiftcall))
struct job;
typedef SWIFT_CALL void enqueue_function(struct job *job);
typedef SWIFT_CALL void enqueue_hook(struct job *job, enqueue_function *enqueue);
extern enqueue_hook *_Atomic swift_task_enqueueGlobal_hook __attribute__((weak));
// An executor is two words, and zero is the global one.
extern SWIFT_CALL void swift_job_run(struct job *job, void *executor, uintptr_t kind) __attribute__((weak));

// How many threads may run tasks at once. A task may have left the loop in which it was resumed, and go on for ever:
// most threads are kept for handlers.
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

// Already counts the thread as running a task, because several threads may be here at once.
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

// Another thread may be keeping a task, too: what that thread resumes after this goes to the pool. The runtime reads
// the hook once, and calls what it has read.
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
