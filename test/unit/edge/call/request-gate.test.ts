import { describe, expect, it } from 'vitest';
import { RequestGate } from '../../../../src/edge/call/request-gate.js';

function gateWithLog() {
  const gate = new RequestGate();
  const handled: string[] = [];
  const pass = (name: string) => gate.pass(() => handled.push(name));
  const passOrLeave = (name: string) =>
    gate.pass(
      () => handled.push(name),
      (hasSuccessor) => handled.push(`${name} left ${hasSuccessor}`),
    );
  return { gate, handled, pass, passOrLeave };
}

describe('the gate of requests', () => {
  it('is open at first', () => {
    const { handled, pass } = gateWithLog();
    pass('REFER');
    expect(handled).toEqual(['REFER']);
  });

  it('keeps what comes while it is closed, in its order, until it opens', () => {
    const { gate, handled, pass } = gateWithLog();
    gate.close();
    pass('REFER');
    // A second close loses nothing.
    gate.close();
    pass('INVITE');
    expect(handled).toEqual([]);
    gate.open();
    expect(handled).toEqual(['REFER', 'INVITE']);
    gate.open();
    pass('INFO');
    expect(handled).toEqual(['REFER', 'INVITE', 'INFO']);
  });

  it.each([true, false])('handles nothing of calls that are left, whether a successor is there: %s', (is) => {
    const { gate, handled, pass, passOrLeave } = gateWithLog();
    gate.close();
    passOrLeave('hold');
    pass('REFER');
    gate.leave(is);
    passOrLeave('stop');
    pass('INVITE');
    gate.open();
    expect(handled).toEqual([`hold left ${is}`, `stop left ${is}`]);
  });

  it('lets through what a kept request asks for', () => {
    const { gate, handled, pass } = gateWithLog();
    gate.close();
    gate.pass(() => pass('NOTIFY'));
    gate.open();
    expect(handled).toEqual(['NOTIFY']);
  });
});
