import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { hasEnded, identify } from '../../../src/base/process-identity.js';

it('a process has ended once it is killed, or when its pid belongs to a later one', async () => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)']);
  await once(child, 'spawn');
  const identity = identify(child.pid!)!;
  expect(hasEnded(identity)).toBe(false);
  expect(hasEnded({ ...identity, started: 'earlier' })).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(hasEnded(identity)).toBe(true);
});
