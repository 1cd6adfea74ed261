/**
 * Computes for ever, keeps taking memory, or answers at once. Not TypeScript, whose loader takes a thread a second of processor time.
 * @param {'compute' | 'hoard' | 'answer'} order
 */
export default (order) => {
  if (order === 'answer') return 'answered';
  /** @type {number[][]} */
  const kept = [];
  for (;;) if (order === 'hoard') kept.push(new Array(100_000).fill(kept.length));
};
