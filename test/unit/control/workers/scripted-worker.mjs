/**
 * Computes for ever, keeps taking memory, or answers at once. Not TypeScript, whose loader takes a thread a second of processor time.
 * @param {'compute' | 'hoard' | 'answer'} order
 */
export default (order) => {
  if (order === 'answer') return 'answered';
  // Only the last part of the deadline must be computed: the rest would take the processor from other tests.
  if (order === 'compute') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
  /** @type {number[][]} */
  const kept = [];
  for (;;) if (order === 'hoard') kept.push(new Array(100_000).fill(kept.length));
};
