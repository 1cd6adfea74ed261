import { describe, expect, it } from 'vitest';
import type { TraceEntry as TraceMessage } from '../../../src/contract/call-record.js';
import { ladderOf, momentOf } from '../../../src/contract/ladder.js';

interface Sketch {
  readonly at: string;
  readonly leg: 'trunk' | 'agent';
  readonly direction: 'received' | 'sent';
  readonly start: string;
  readonly callId?: string;
  readonly cseq?: string;
  readonly sdp?: boolean;
  readonly branch?: string;
}

const farSide = { trunk: '192.0.2.1:5061', agent: '10.0.0.9:5060' } as const;

function entry({
  at,
  leg,
  direction,
  start,
  callId,
  cseq = '1 INVITE',
  sdp = false,
  branch = 'z9hG4bK1',
}: Sketch): TraceMessage {
  const far = farSide[leg];
  const message = [
    start,
    `Via: SIP/2.0/TLS ${far};branch=${branch}`,
    `i: ${callId ?? `${leg}-call`}`,
    `CSeq: ${cseq}`,
    ...(sdp ? ['Content-Type: application/sdp'] : []),
    '',
    sdp ? 'v=0\r\n' : '',
  ].join('\r\n');
  return {
    at: `2026-11-20T10:00:0${at}Z`,
    leg,
    direction,
    protocol: 'tls',
    source: direction === 'received' ? far : '198.51.100.1:5061',
    destination: direction === 'received' ? '198.51.100.1:5061' : far,
    summary: start.replace(/^SIP\/2\.0 /, '').replace(/ sip:.*/, ''),
    message,
  };
}

const invite = 'INVITE sip:1@example.com SIP/2.0';

describe('the ladder', () => {
  const trace = [
    entry({ at: '0.000000', leg: 'trunk', direction: 'received', start: invite, sdp: true }),
    entry({ at: '0.001250', leg: 'trunk', direction: 'sent', start: 'SIP/2.0 100 Trying' }),
    entry({ at: '0.010000', leg: 'agent', direction: 'sent', start: invite, sdp: true }),
    entry({ at: '0.510000', leg: 'agent', direction: 'sent', start: invite, sdp: true }),
    entry({ at: '0.600000', leg: 'agent', direction: 'received', start: 'SIP/2.0 486 Busy Here' }),
    entry({
      at: '0.600500',
      leg: 'agent',
      direction: 'sent',
      start: 'ACK sip:1@example.com SIP/2.0',
      cseq: '1 ACK',
    }),
  ];
  const { lanes, steps } = ladderOf(trace, 'inbound');

  it('puts the caller on the left, us in the middle, the agent on the right', () => {
    expect(lanes.map(({ name, address }) => [name, address])).toEqual([
      ['Caller', '192.0.2.1:5061'],
      ['Demarc', ''],
      ['Agent', '10.0.0.9:5060'],
    ]);
    expect(steps.map(({ from, to }) => [from, to])).toEqual([
      [0, 1],
      [1, 0],
      [1, 2],
      [1, 2],
      [2, 1],
      [1, 2],
    ]);
  });

  it('measures from the start and from the message before, to the microsecond', () => {
    expect(steps[1]!.sinceStart).toBeCloseTo(1.25, 3);
    expect(steps[2]!.sincePrevious).toBeCloseTo(8.75, 3);
    expect(momentOf('2026-11-20T10:00:00.000001Z') - momentOf('2026-11-20T10:00:00Z')).toBeCloseTo(0.001, 3);
  });

  it('names kinds, bodies, retransmissions, and what belongs to the same transaction', () => {
    expect(steps.map(({ kind }) => kind)).toEqual([
      'request',
      'provisional',
      'request',
      'request',
      'refusal',
      'request',
    ]);
    expect(steps.map(({ hasDescription }) => hasDescription)).toEqual([
      true,
      false,
      true,
      true,
      false,
      false,
    ]);
    expect(steps.map(({ isRepeated }) => isRepeated)).toEqual([false, false, false, true, false, false]);
    expect(new Set(steps.slice(2).map(({ transaction }) => transaction)).size).toBe(1);
    expect(steps[0]!.transaction).not.toBe(steps[2]!.transaction);
  });

  it('gives every attempt of an outbound call a separate lane, and the agent the left one', () => {
    const failover = ladderOf(
      [
        entry({ at: '0.0', leg: 'agent', direction: 'sent', start: invite }),
        entry({ at: '0.1', leg: 'trunk', direction: 'sent', start: invite, callId: 'first' }),
        entry({ at: '0.2', leg: 'trunk', direction: 'received', start: 'SIP/2.0 503 Away', callId: 'first' }),
        entry({ at: '0.3', leg: 'trunk', direction: 'sent', start: invite, callId: 'second' }),
      ],
      'outbound',
    );
    expect(failover.lanes.map(({ name }) => name)).toEqual(['Agent', 'Demarc', 'Trunk', 'Trunk 2']);
    expect(failover.steps.map(({ from, to }) => [from, to])).toEqual([
      [1, 0],
      [1, 2],
      [2, 1],
      [1, 3],
    ]);
  });

  it('keeps the key of a message when others are known as well, and gives no two the same', () => {
    const later = ladderOf([...trace, trace.at(-1)!], 'inbound');
    expect(later.steps.slice(0, steps.length).map(({ key }) => key)).toEqual(steps.map(({ key }) => key));
    expect(new Set(later.steps.map(({ key }) => key)).size).toBe(later.steps.length);
    const withoutFirst = ladderOf(trace.slice(1), 'inbound');
    expect(withoutFirst.steps.map(({ key }) => key)).toEqual(steps.slice(1).map(({ key }) => key));
  });

  it('shows an empty trace as no steps', () => {
    expect(ladderOf([], 'inbound')).toMatchObject({ lanes: [{ name: 'Demarc' }], steps: [] });
  });
});
