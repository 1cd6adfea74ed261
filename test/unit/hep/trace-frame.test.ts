import { describe, expect, it } from 'vitest';
import {
  lostEntry,
  readTraceEntries,
  TracedEntry,
  traceEntriesStart,
  traceEntry,
} from '../../../src/hep/trace-frame.js';

const flow = {
  protocol: 'tls',
  localAddress: '192.0.2.1',
  localPort: 5061,
  remoteAddress: '2001:db8::9',
  remotePort: 40_000,
} as const;
const message = 'INVITE sip:x SIP/2.0\r\nSubject: caf\xe9 | 7\r\n\r\n';
const frameOf = (entries: string): Buffer => Buffer.from(`e1|trace\r\n${entries}`, 'latin1');
const entriesOf = (frame: Buffer) =>
  readTraceEntries(frame, traceEntriesStart(frame)).map((entry) =>
    entry instanceof TracedEntry ? entry.packet : entry,
  );

describe('a trace frame', () => {
  it('keeps octets, addresses of both ends, time, and a Call-ID that contains the separator', () => {
    const entries = traceEntry('r', flow, 1_700_000_000_000_001, 'a|b', message);
    const sent = traceEntry('s', { ...flow, protocol: 'udp' }, 1_700_000_000_000_002, 'c', message);
    const [first, second, third] = entriesOf(frameOf(entries + sent + lostEntry('d|e')));
    expect(first).toMatchObject({
      direction: 'received',
      ipProtocol: 6,
      sourceAddress: '2001:db8::9',
      sourcePort: 40_000,
      destinationAddress: '192.0.2.1',
      destinationPort: 5061,
      at: 1_700_000_000_000_001,
      callId: 'a|b',
      payload: Buffer.from(message, 'latin1'),
    });
    expect(second).toMatchObject({ direction: 'sent', ipProtocol: 17, sourcePort: 5061, callId: 'c' });
    expect(third).toEqual({ direction: 'lost', callId: 'd|e' });
  });

  it('differs from every other frame, also from one whose message quotes it', () => {
    expect(traceEntriesStart(frameOf(''))).toBe('e1|trace\r\n'.length);
    for (const frame of [
      'e1|sip|network|1|\r\nOPTIONS sip:|trace\r\n',
      'e1|response|e0|OK',
      'e1|traces\r\n',
      'e1|tra',
    ])
      expect(traceEntriesStart(Buffer.from(frame))).toBe(0);
  });

  it('reads the fields of an entry once, until they are forgotten', () => {
    const [entry] = readTraceEntries(Buffer.from(traceEntry('r', flow, 1, 'a', message), 'latin1'), 0);
    if (!(entry instanceof TracedEntry)) throw new Error('No entry.');
    const { packet } = entry;
    expect(entry.packet).toBe(packet);
    entry.forgetRead();
    expect(entry.packet).not.toBe(packet);
    expect(entry.packet).toEqual(packet);
  });

  it('gives the entries before the cut when it was cut', () => {
    const whole = traceEntry('r', flow, 1, 'a', message);
    expect(entriesOf(frameOf(whole + whole.slice(0, -1)))).toHaveLength(1);
    expect(entriesOf(frameOf(`${whole}s|udp`))).toHaveLength(1);
  });
});
