/** Computes for ever, or keeps taking memory. */
export default (needsMemory: boolean): void => {
  const kept: number[][] = [];
  for (;;) if (needsMemory) kept.push(new Array<number>(100_000).fill(kept.length));
};
