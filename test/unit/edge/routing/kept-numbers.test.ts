import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createLog } from '../../../../src/base/log.js';
import { KeptNumbers } from '../../../../src/edge/routing/kept-numbers.js';

const directory = mkdtempSync(join(tmpdir(), 'demarc-kept-numbers-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('keeps thousands of numbers without holding up calls, as they are when it stops', async () => {
  const numbers = new Map<string, string>();
  for (let i = 0; i < 2_300; i++) numbers.set(String(4_930_000_000 + i), `{"version":${i}}`);
  const path = join(directory, 'kept', 'numbers');
  const log = createLog({ level: 'silent', role: 'edge', edge: 'test' });
  let begun: () => void = () => {};
  const isWriting = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const documents = () => {
    begun();
    return numbers;
  };
  const kept = new KeptNumbers({ path, documents, delayMilliseconds: 1, log });
  kept.changed();
  await isWriting;
  // Other work has its turn before the file is there.
  await new Promise((resolve) => setImmediate(resolve));
  expect(await kept.read()).toEqual([]);
  numbers.delete('4930000000');
  numbers.set('4930000001', '{"version":"later"}');
  kept.changed();
  await kept.stop();
  expect(new Map(await kept.read())).toEqual(numbers);
  expect(readdirSync(join(directory, 'kept'))).toEqual(['numbers']);
});
