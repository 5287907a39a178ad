#pragma once
// Functions in which the time goes, of long passes over arrays: they come in two versions, of which the loader takes the
// one that fits the machine, since wider registers make them faster, and fused products and sums where their file allows
// them. All that they call is compiled into them. A machine always takes the same version, so that a run can be repeated
// bit for bit; the last bits on a machine of before 2013 may be others, as those of the C library's sine are.

#if defined(__x86_64__) && defined(__GLIBC__) && defined(__OPTIMIZE__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define DRIFTLESS_HOT __attribute__((flatten, target_clones("arch=x86-64-v3", "default")))
#else
#define DRIFTLESS_HOT
#endif
