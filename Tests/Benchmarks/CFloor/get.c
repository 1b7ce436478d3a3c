// The floor of `watch-value get`. The benchmarks compile it by themselves: SwiftPM would link Swift's runtime to it, and
// loading that takes longer than the whole program.
#include "CFloor.h"
#include <stdio.h>

int main(int count, char **arguments) {
    if (count != 2) {
        fputs("usage: floor-get FILE\n", stderr);
        return 64;
    }
    return cf_get(arguments[1]);
}
