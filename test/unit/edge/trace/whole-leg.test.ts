import { describe, expect, it } from 'vitest';
import { isWholeLeg } from '../../../../src/edge/trace/whole-leg.js';

/** `caller INVITE 1`, `callee 200 BYE 1`: who asked, the status of a response, method and CSeq number. */
function captured(line: string) {
  const words = line.split(' ');
  const [from, method, sequence] = [words[0], words.at(-2), words.at(-1)];
  const first = words.length === 4 ? `SIP/2.0 ${words[1]} Text` : `${method} sip:b@y SIP/2.0`;
  const text = `${first}\r\nFrom: "A;tag" <sip:a@x;x=1>;tag=${from}\r\nTo: <sip:b@y>\r\nCSeq: ${sequence} ${method}\r\n\r\n`;
  return { packet: undefined as never, bytes: Buffer.from(text) };
}

const isWhole = (...lines: string[]): boolean => isWholeLeg(lines.map(captured));

const answered = ['caller INVITE 1', 'caller 100 INVITE 1', 'caller 200 INVITE 1', 'caller ACK 1'];

describe('a leg whose call has ended', () => {
  it('is whole once it was hung up and that was answered', () => {
    expect(isWhole(...answered)).toBe(false);
    expect(isWhole(...answered, 'callee BYE 1')).toBe(false);
    expect(isWhole(...answered, 'callee BYE 1', 'callee 200 BYE 1')).toBe(true);
    expect(isWhole(...answered, 'caller BYE 2', 'caller 200 BYE 2')).toBe(true);
  });

  it('is whole once a refusal has its ACK, also one after another', () => {
    const challenged = ['caller INVITE 1', 'caller 401 INVITE 1'];
    expect(isWhole(...challenged)).toBe(false);
    const again = [...challenged, 'caller ACK 1', 'caller INVITE 2', 'caller 486 INVITE 2'];
    expect(isWhole(...again)).toBe(false);
    expect(isWhole(...again, 'caller ACK 2')).toBe(true);
  });

  it('is not whole while a request of either side has no final response', () => {
    const cancelled = ['caller INVITE 1', 'caller CANCEL 1', 'caller 487 INVITE 1', 'caller ACK 1'];
    expect(isWhole(...cancelled)).toBe(false);
    expect(isWhole(...cancelled, 'caller 200 CANCEL 1')).toBe(true);
    const over = [...answered, 'caller BYE 2', 'caller 200 BYE 2'];
    expect(isWhole(...over, 'callee INVITE 1', 'callee 100 INVITE 1')).toBe(false);
    expect(isWhole(...over, 'callee INVITE 1', 'callee 481 INVITE 1', 'callee ACK 1')).toBe(true);
  });

  it('may come out of order', () => {
    expect(isWhole(...[...answered, 'caller BYE 2', 'caller 200 BYE 2'].reverse())).toBe(true);
  });
});
