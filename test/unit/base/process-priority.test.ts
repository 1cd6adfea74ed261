import { readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { expect, it } from 'vitest';
import { preferMainThread, threadsOf } from '../../../src/base/process-priority.js';

const nameOf = (thread: number): string => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8').trim();

it("gives V8's helper threads a lower priority than the main thread", () => {
  const own = getPriority();
  preferMainThread();
  expect(getPriority()).toBe(own);
  const helpers = threadsOf(process.pid).filter((thread) => nameOf(thread) === 'V8Worker');
  // Node.js 20 does not name them.
  if (process.versions.node.startsWith('24.')) expect(helpers).not.toEqual([]);
  for (const helper of helpers) expect(getPriority(helper)).toBe(Math.min(19, own + 10));
});
