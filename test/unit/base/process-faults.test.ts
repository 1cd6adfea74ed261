import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { childEnvironment } from '../../../src/base/child-environment.js';
import { faultFields } from '../../../src/base/process-faults.js';
import { programModule, programOptions } from '../../support/program-modules.js';

/** Runs a role's program text with the handlers installed. */
function program(text: string, stdout: 'pipe' | number = 'pipe') {
  const source = `
    const { createLog } = await import('${programModule('base/log')}');
    const { surviveFaults, survivedFaults } = await import('${programModule('base/process-faults')}');
    const { standardOutput } = await import('${programModule('base/log-destination')}');
    const log = createLog({ level: 'info', role: 'edge', edge: 'e' });
    surviveFaults(log);
    ${text}`;
  const child = spawn(process.execPath, [...programOptions, '--input-type=module', '-e', source], {
    stdio: ['ignore', stdout, 'pipe'],
  });
  const output: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk));
  return { ended: once(child, 'close'), text: () => Buffer.concat(output).toString() };
}

describe('faults that no code has caught', () => {
  it('a rejected promise without a handler is logged and counted, and the process continues', async () => {
    const { ended, text } = program(`
      void Promise.reject(new Error('forgotten\\r\\na=crypto:1 secret'));
      setTimeout(() => process.exit(survivedFaults.unhandledRejections === 1 ? 7 : 8), 50);
    `);
    expect(await ended).toEqual([7, null]);
    const line = JSON.parse(text()) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 50, role: 'edge', error: 'Error: forgotten' });
    expect(line.stack).toMatch(/^at /);
    expect(text()).not.toContain('secret');
  });

  it('an exception ends the process with a log line that gives the reason', async () => {
    const { ended, text } = program(`setTimeout(() => { throw new TypeError('broken'); }, 1);`);
    expect(await ended).toEqual([1, null]);
    expect(JSON.parse(text())).toMatchObject({ level: 60, error: 'TypeError: broken' });
  });

  it('neither end a process nor hang its exit because the disk is full', {
    timeout: 15_000,
  }, async () => {
    const full = openSync('/dev/full', 'w');
    const { ended } = program(
      `
      log.info('one line');
      process.stdout.write('something of a library');
      setTimeout(() => { log.info('the last'); process.exit(standardOutput.dropped > 0 ? 7 : 8); }, 400);
      `,
      full,
    );
    closeSync(full);
    expect(await ended).toEqual([7, null]);
  });

  it('quotes the first line of a message only', () => {
    expect(faultFields('INVITE sip:a\r\na=crypto:1').error).toBe('INVITE sip:a');
  });
});

describe('the environment of an isolated child', () => {
  it('has what the system needs and only our listed settings', () => {
    const ours = { DEMARC_SECRET_KEY: 'k', DATABASE_URL: 'postgres://u:p@h/d', DEMARC_METRICS_TOKEN: 't' };
    expect(
      childEnvironment(
        { PATH: '/bin', LC_ALL: 'C', NODE_OPTIONS: '-r x', ...ours },
        { DEMARC_METRICS_TOKEN: 't' },
      ),
    ).toEqual({ PATH: '/bin', LC_ALL: 'C', NODE_OPTIONS: '-r x', DEMARC_METRICS_TOKEN: 't' });
  });
});
