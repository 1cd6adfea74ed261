import { loadFunctions } from './native-functions.js';

let trim: (() => void) | undefined;

/**
 * Gives freed memory back to the operating system: glibc does so only from the end of its area, where a small block mostly remains
 * (malloc_trim(3)). Takes some 20 ms for 100 MB. Without effect with another C library, and where koffi has no binary.
 */
export function trimMemory(): void {
  trim ??= loadTrim();
  trim();
}

function loadTrim(): () => void {
  try {
    const { malloc_trim } = loadFunctions<{ malloc_trim(pad: number): number }>({
      malloc_trim: 'int malloc_trim(size_t pad)',
    });
    return () => void malloc_trim(0);
  } catch {
    // Another C library, or no binary of koffi: freed memory stays in the process, for its next load.
    return () => {};
  }
}
