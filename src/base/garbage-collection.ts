/**
 * Options of Node.js for the processes that carry calls. V8 shares each small collection among helper threads; waking them costs more
 * than a call's garbage is worth, and where calls keep all cores busy the main thread waits until they get one.
 */
export const callProcessOptions = ['--single-threaded-gc'] as const;
