/**
 * Options of Node.js for the processes that carry calls. V8 shares each small collection among helper threads; waking them costs more
 * than a call's garbage is worth, and where calls keep all cores busy the main thread waits until they get one. A small collection copies
 * what the calls of the last moment have left: with 8 MB at a time that pauses a busy edge for 3 ms instead of 20.
 *
 * A full collection keeps both processors of a small machine busy for 50 ms, in which calls wait. It comes when the heap has three times
 * the size of what the last one left, instead of at most twice. V8 would also collect eight seconds after a load, to give memory back, and
 * then keep the heap so tight that the next load makes it collect every second; `IdleMemory` gives memory back where no call meets it.
 */
export const callProcessOptions = [
  '--no-parallel-scavenge',
  '--max-semi-space-size=8',
  '--heap-growing-percent=200',
  '--no-memory-reducer',
] as const;

/** Options for control, for the same reason: with helper threads a record costs it half as much again. */
export const controlOptions = ['--no-parallel-scavenge'] as const;

/**
 * Variables for the processes that carry calls. The C library gives each thread its own memory pool, which V8's helper threads fill while they
 * compile, and which does not shrink: with one pool for all an edge is a quarter smaller after a load.
 */
export const callProcessEnvironment = { MALLOC_ARENA_MAX: process.env.MALLOC_ARENA_MAX ?? '1' } as const;

/**
 * Variables for a media-stream process. Each frame touches the TLS state of another call, all over the memory of the C library; on pages of
 * 2 MB instead of 4 KB the processor finds it with fewer lookups of addresses. Without effect where the kernel has no such pages.
 */
export const mediaStreamEnvironment = {
  ...callProcessEnvironment,
  GLIBC_TUNABLES: process.env.GLIBC_TUNABLES ?? 'glibc.malloc.hugetlb=1',
} as const;
