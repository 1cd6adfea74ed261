import { beforeEach, describe, expect, it } from 'vitest';
import type { Flow } from '../../../../src/engine/transport/flow.js';
import { CallTraces, type TraceTaker } from '../../../../src/engine/wire/call-trace.js';
import { readTraceEntries, TracedEntry } from '../../../../src/hep/trace-frame.js';
import { ManualClock } from '../../../../src/testkit/manual-clock.js';

const flow = {
  protocol: 'udp',
  localAddress: '192.0.2.1',
  localPort: 5060,
  remoteAddress: '192.0.2.2',
  remotePort: 5060,
} as Flow;

class Taker implements TraceTaker {
  readonly got: string[] = [];
  hasRoom = true;

  trace(entries: string): boolean {
    if (!this.hasRoom) return false;
    for (const entry of readTraceEntries(Buffer.from(entries, 'latin1'), 0)) {
      const { callId, direction } = entry instanceof TracedEntry ? entry.packet : entry;
      this.got.push(`${direction} ${callId}`);
    }
    return true;
  }
}

const message = (callId: string): string => `OPTIONS sip:x SIP/2.0\r\nCall-ID: ${callId}\r\n\r\n`;

let clock: ManualClock;
let traces: CallTraces;
let taker: Taker;
let otherTaker: Taker;
beforeEach(() => {
  clock = new ManualClock();
  traces = new CallTraces(clock);
  [taker, otherTaker] = [new Taker(), new Taker()];
  traces.add(taker);
  traces.add(otherTaker);
});
const send = (callId: string): void => traces.sent(flow, message(callId), 0);
const receive = (callId: string): void => traces.received(flow, Buffer.from(message(callId)), 0);

describe('the messages of a call', () => {
  it('go to the application that has it, also the one that came before it was chosen', () => {
    receive('a');
    receive('b');
    traces.own('b', taker);
    traces.own('a', otherTaker);
    send('a');
    expect(taker.got).toEqual(['received b']);
    expect(otherTaker.got).toEqual(['received a', 'sent a']);
    expect(traces.heldCount).toBe(0);
  });

  it('go to the application that took the call over', () => {
    traces.own('a', taker);
    send('a');
    traces.own('a', otherTaker);
    send('a');
    expect([taker.got, otherTaker.got]).toEqual([['sent a'], ['sent a']]);
  });

  it('go to any application when none has the call, half a second later', async () => {
    receive('stranger');
    await clock.advance(499);
    expect([...taker.got, ...otherTaker.got]).toEqual([]);
    await clock.advance(501);
    expect([...taker.got, ...otherTaker.got]).toEqual(['received stranger']);
  });

  it('are reported as lost with the next one when they find no room', () => {
    traces.own('a', taker);
    taker.hasRoom = false;
    send('a');
    taker.hasRoom = true;
    send('a');
    expect(taker.got).toEqual(['lost a', 'sent a']);
    expect(traces.counters).toEqual({ sent: 1, dropped: 1 });
  });

  it('reach their application for longer than a transaction lasts, and leave nothing behind', async () => {
    traces.own('a', taker);
    await clock.advance(32_000);
    traces.own('b', otherTaker);
    send('a');
    expect(taker.got).toEqual(['sent a']);
    for (const callId of ['c', 'd']) {
      await clock.advance(41_000);
      traces.own(callId, otherTaker);
    }
    expect(traces.ownerCount).toBe(2);
  });

  it('are not kept without applications', () => {
    traces.remove(taker);
    traces.remove(otherTaker);
    receive('a');
    expect(traces.heldCount).toBe(0);
  });
});
