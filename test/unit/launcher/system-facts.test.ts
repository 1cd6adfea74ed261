import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { PrivatePorts } from '../../../src/launcher/ports.js';
import { StateDirectory } from '../../../src/launcher/state-directory.js';
import { SystemFacts } from '../../../src/launcher/system-facts.js';

const low = 25_900;
let directory: StateDirectory;

const facts = (running: readonly string[] = [], range = { low, high: low + 20 }): SystemFacts =>
  new SystemFacts(directory, new PrivatePorts(range, [], () => 0), (name) => running.includes(name));

beforeEach(() => {
  directory = new StateDirectory(mkdtempSync(join(tmpdir(), 'demarc-facts-')));
  directory.take();
});

afterEach(() => {
  directory.release();
  rmSync(directory.path, { recursive: true, force: true });
});

it('a launcher gives each process the port and the password that it had under the former one', async () => {
  const first = facts();
  const ports = [await first.port('engine', 'admin'), await first.port('edge-1')];
  const second = facts();
  expect([
    await second.port('redis'),
    await second.port('edge-1'),
    await second.port('engine', 'admin'),
  ]).toEqual([low + 2, ports[1], ports[0]]);
  const secret = second.secret('engine');
  expect(facts().secret('engine')).toBe(secret);
  expect(statSync(directory.factsFile).mode & 0o077).toBe(0);
});

it('a port that a stranger took is replaced, one of a process that still runs is not', async () => {
  const first = facts();
  const [redis, edge] = [await first.port('redis'), await first.port('edge-1')];
  const elsewhere = { low: low + 50, high: low + 60 };
  const second = facts(['redis'], elsewhere);
  expect(await second.port('redis')).toBe(redis);
  expect(await second.port('edge-1')).not.toBe(edge);
});
