import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, describe, expect, it } from 'vitest';
import { LogDestination } from '../../../src/base/log-destination.js';
import { until } from '../../../src/testkit/waiting.js';

const folder = mkdtempSync(join(tmpdir(), 'demarc-log-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('where log lines go', () => {
  it('writes all lines in order, also those of one moment', async () => {
    const path = join(folder, 'whole.log');
    const descriptor = openSync(path, 'a');
    const destination = new LogDestination(descriptor);
    const log = pino({ base: null, timestamp: false }, destination);
    for (let line = 0; line < 500; line++) log.info({ line }, 'x');
    await until(() => readFileSync(path, 'utf8').split('\n').length === 501, 2_000, 'written');
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([...lines.keys()]);
    expect(destination).toMatchObject({ dropped: 0, failure: undefined });
    closeSync(descriptor);
  });

  it('on a full disk drops lines and counts them, and blocks nothing', async () => {
    const descriptor = openSync('/dev/full', 'w');
    const destination = new LogDestination(descriptor, { failureMilliseconds: 5 });
    const log = pino({}, destination);
    log.info('first');
    await until(() => destination.dropped === 1, 2_000, 'the first line is dropped');
    expect(destination.failure).toBe('ENOSPC');
    for (let line = 0; line < 10; line++) log.info('more');
    await until(() => destination.dropped === 11, 2_000, 'all lines are dropped');
    // At the exit one attempt is made; sonic-boom repeated it for ever.
    log.info('last');
    destination.flushSync();
    closeSync(descriptor);
  });

  it('reports the number of lost lines once the disk is writable again', async () => {
    const path = join(folder, 'recovering.log');
    const descriptor = openSync('/dev/full', 'w');
    const reported: unknown[] = [];
    const destination = new LogDestination(descriptor, { failureMilliseconds: 5 });
    destination.onRecovery = (...values) => reported.push(values);
    destination.write('lost\n');
    await until(() => destination.dropped === 1, 2_000, 'dropped');
    closeSync(descriptor);
    // The lowest free descriptor is the same one: now a disk with space.
    expect(openSync(path, 'a')).toBe(descriptor);
    destination.write('kept\n');
    await until(() => reported.length === 1, 2_000, 'told');
    expect(reported).toEqual([[1, 'ENOSPC']]);
    expect(readFileSync(path, 'utf8')).toBe('kept\n');
    expect(destination.failure).toBeUndefined();
    closeSync(descriptor);
  });

  it('writes lines of a moment together, but warnings at once', async () => {
    const path = join(folder, 'gathered.log');
    const descriptor = openSync(path, 'a');
    const destination = new LogDestination(descriptor, { gatherMilliseconds: 3_600_000 });
    const log = pino({ base: null, timestamp: false }, destination);
    log.info('call');
    log.info('call');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(readFileSync(path, 'utf8')).toBe('');
    log.warn('trouble');
    await until(() => readFileSync(path, 'utf8').split('\n').length === 4, 2_000, 'written');
    log.info('last');
    // As at the exit of the process.
    destination.flushSync();
    expect(readFileSync(path, 'utf8')).toContain('last');
    closeSync(descriptor);
  });

  it('is bounded in octets', () => {
    const descriptor = openSync(join(folder, 'bounded.log'), 'a');
    const destination = new LogDestination(descriptor, { maximumWaitingOctets: 100 });
    for (let line = 0; line < 10; line++) destination.write(`${'x'.repeat(29)}\n`);
    // Three wait.
    expect(destination.dropped).toBe(7);
    destination.flushSync();
    closeSync(descriptor);
  });
});
