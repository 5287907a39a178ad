#pragma once
// Functions in which the time goes, of long passes over arrays: they come in two versions, of which the loader takes the
// one that fits the machine, since fused multiplication and addition and wider registers make them faster. All that they
// call is compiled into them.

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DRIFTLESS_HOT __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define DRIFTLESS_HOT
#endif
