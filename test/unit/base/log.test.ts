import { expect, it } from 'vitest';
import { createLog } from '../../../src/base/log.js';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog(
    { level: 'info', role: 'edge', edge: 'edge-1' },
    {
      write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
    },
  );
  return { lines, log };
}

it('writes role and edge into every line, and the call where there is one', () => {
  const { lines, log } = capture();
  log.info('one');
  log.child({ call: 'abc' }).warn({ x: 1 }, 'two');
  log.debug('not written');
  expect(lines).toMatchObject([
    { role: 'edge', edge: 'edge-1', msg: 'one' },
    { role: 'edge', edge: 'edge-1', call: 'abc', x: 1, msg: 'two' },
  ]);
  expect(lines).toHaveLength(2);
});

it('secrets are not written, at any of the usual depths', () => {
  const { lines, log } = capture();
  const secret = 'hunter2';
  log.info(
    {
      password: secret,
      credential: { password: secret, ha1: secret },
      request: { headers: { authorization: secret } },
    },
    'x',
  );
  log.child({ call: 'abc' }).info({ trunk: { credential: { password: secret } } }, 'y');
  log.info({ deep: { er: { and: { deeper: { password: secret } } } }, list: [{ password: secret }] }, 'z');
  log.child({ call: 'abc' }).child({ password: secret }).info('bound');
  const circular: Record<string, unknown> = { name: 'loop' };
  circular.self = circular;
  log.info({ circular }, 'no end');
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines).toHaveLength(5);
  expect(lines[0]).toMatchObject({ password: '[redacted]' });
});

it('non-secrets stay: statuses, errors, lists', () => {
  const { lines, log } = capture();
  log.error({ response: 404, err: new Error('why'), listeners: ['a', 'b'] }, 'x');
  expect(lines[0]).toMatchObject({ response: 404, err: { message: 'why' }, listeners: ['a', 'b'] });
});

it('hides in each role what another role knows to be secret', () => {
  const { lines, log } = capture();
  const names = [
    'password',
    'sip_password',
    'ha1',
    'key',
    'apiKey',
    'token',
    'hash',
    'Authorization',
    'cookie',
    'sdp',
  ];
  log.info({ row: Object.fromEntries(names.map((name) => [name, 'hunter2'])) }, 'x');
  expect(lines[0]!.row).toEqual(Object.fromEntries(names.map((name) => [name, '[redacted]'])));
});

it('an error is written without the command that it quotes', () => {
  const { lines, log } = capture();
  const failure = Object.assign(new Error('READONLY'), {
    code: 'EREADONLY',
    command: { name: 'hset', args: ['number:1', 'hunter2'] },
  });
  log.error({ err: failure }, 'x');
  expect(lines[0]).toMatchObject({ err: { type: 'Error', message: 'READONLY', code: 'EREADONLY' } });
  expect(JSON.stringify(lines)).not.toContain('hunter2');
});
