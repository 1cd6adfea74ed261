import { describe, expect, it } from 'vitest';
import { digitOf } from '../../../../src/edge/sip/dtmf-info.js';

const read = (type: string, body: string) => {
  const headers: Readonly<Record<string, string>> = { 'Content-Type': type };
  return digitOf({ headers, body, get: (name) => headers[name], has: (name) => name in headers });
};

describe('a digit in an INFO', () => {
  it.each([
    ['application/dtmf-relay', 'Signal=5\r\nDuration=160\r\n', '5', 160],
    ['Application/DTMF-Relay;x=1', 'Signal= #\r\nDuration= 250', '#', 250],
    ['application/dtmf-relay', 'duration=9000\nsignal=a\n', 'A', 2_000],
    ['application/dtmf-relay', 'Signal=11\r\nDuration=1', '#', 80],
    ['application/dtmf-relay', 'Signal=*', '*', 160],
    ['application/dtmf', '7', '7', 160],
    ['application/dtmf', ' 10 \r\n', '*', 160],
    ['application/dtmf', 'Signal=3\r\nDuration=5', '3', 160],
  ])('%s %j is %s for %i ms', (type, body, digit, milliseconds) => {
    expect(read(type, body)).toEqual({ digit, milliseconds });
  });

  it.each([
    ['application/dtmf-relay', ''],
    ['application/dtmf-relay', 'Signal=16\r\nDuration=100'],
    ['application/dtmf-relay', 'Signal=12345'],
    ['application/dtmf', 'hello'],
    ['application/media_control+xml', '5'],
    ['text/plain', 'Signal=5'],
  ])('%s %j is none', (type, body) => {
    expect(read(type, body)).toBeUndefined();
  });
});
