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
let one: Taker;
let other: Taker;
beforeEach(() => {
  clock = new ManualClock();
  traces = new CallTraces(clock);
  [one, other] = [new Taker(), new Taker()];
  traces.add(one);
  traces.add(other);
});
const send = (callId: string): void => traces.sent(flow, message(callId), 0);
const receive = (callId: string): void => traces.received(flow, Buffer.from(message(callId)), 0);

describe('the messages of a call', () => {
  it('go to the application that has it, also the one that came before it was chosen', () => {
    receive('a');
    receive('b');
    traces.own('b', one);
    traces.own('a', other);
    send('a');
    expect(one.got).toEqual(['received b']);
    expect(other.got).toEqual(['received a', 'sent a']);
    expect(traces.heldCount).toBe(0);
  });

  it('go to the application that took the call over', () => {
    traces.own('a', one);
    send('a');
    traces.own('a', other);
    send('a');
    expect([one.got, other.got]).toEqual([['sent a'], ['sent a']]);
  });

  it('that no application has go to any of them, half a second later', async () => {
    receive('stranger');
    await clock.advance(499);
    expect([...one.got, ...other.got]).toEqual([]);
    await clock.advance(501);
    expect([...one.got, ...other.got]).toEqual(['received stranger']);
  });

  it('that find no room are reported as lost with the next one', () => {
    traces.own('a', one);
    one.hasRoom = false;
    send('a');
    one.hasRoom = true;
    send('a');
    expect(one.got).toEqual(['lost a', 'sent a']);
    expect(traces.counters).toEqual({ sent: 1, dropped: 1 });
  });

  it('reach their application for longer than a transaction lasts, and leave nothing behind', async () => {
    traces.own('a', one);
    await clock.advance(32_000);
    traces.own('b', other);
    send('a');
    expect(one.got).toEqual(['sent a']);
    for (const callId of ['c', 'd']) {
      await clock.advance(41_000);
      traces.own(callId, other);
    }
    expect(traces.ownerCount).toBe(2);
  });

  it('are not kept without applications', () => {
    traces.remove(one);
    traces.remove(other);
    receive('a');
    expect(traces.heldCount).toBe(0);
  });
});
