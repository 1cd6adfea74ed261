import { expect, it } from 'vitest';
import { callLogger, createLog } from '../../../src/edge/log.js';

function capture() {
  const lines: Record<string, unknown>[] = [];
  const log = createLog({ edgeId: 'edge-1', log: { level: 'info' } }, 'edge', {
    write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>),
  });
  return { lines, log };
}

it('every line names role and edge, and the call where there is one', () => {
  const { lines, log } = capture();
  log.info('one');
  callLogger(log, 'abc').warn({ x: 1 }, 'two');
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
  callLogger(log, 'abc').info({ trunk: { credential: { password: secret } } }, 'y');
  expect(JSON.stringify(lines)).not.toContain(secret);
  expect(lines[0]).toMatchObject({ password: '[redacted]' });
});
