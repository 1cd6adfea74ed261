import { describe, expect, it } from 'vitest';
import type { NgReply } from '../../../../src/edge/media/ng-client.js';
import { readCounters, readTotals } from '../../../../src/edge/media/ng-counters.js';
import { withoutRefused } from '../../../../src/edge/media/refused-packets.js';
import {
  packetsFrom,
  readReports,
  readRtpPackets,
  readStatistics,
} from '../../../../src/edge/media/rtp-statistics.js';
import { type Bencoded, bencode } from '../../../support/bencode.js';

const stream = (packets: number, errors: number): Bencoded => ({
  'local port': 30_000,
  endpoint: { family: 'IPv4', address: '192.0.2.1', port: 4_000 },
  'crypto suite': 'AES_CM_128_HMAC_SHA1_80',
  'last packet': 1_795_000_000,
  flags: ['RTP', 'filled'],
  SSRC: 77,
  stats: { packets, bytes: 160 * packets, errors },
});

const tag = (packets: number, errors: number): Bencoded => ({
  tag: 'x',
  created: -1,
  'in dialogue with': 'y',
  medias: [{ index: 1, type: 'audio', streams: [stream(packets, errors), stream(1, 0)] }],
});

const reply: { readonly [key: string]: Bencoded } = {
  result: 'ok',
  created: 1_795_000_000,
  SSRC: {
    '77': {
      'cumulative loss': 12,
      'average MOS': { MOS: 43, jitter: 7 },
      'MOS progression': {
        interval: 5,
        entries: [
          { MOS: 43, jitter: 9, 'packet loss': 1, 'round-trip time leg': 400, 'reported at': 1_795_000_000 },
          { MOS: 43, jitter: 2, 'packet loss': 0, 'round-trip time leg': 900, 'reported at': 1_795_000_005 },
        ],
      },
    },
  },
  tags: { trunk: tag(500, 20), agent: tag(498, 0) },
  totals: { RTP: { packets: 1_000 } },
};

const octets = (value: Bencoded): Buffer => Buffer.from(bencode(value), 'latin1');

describe('the counters of a query', () => {
  it('are those of the whole reply', () => {
    const whole = reply as unknown as NgReply;
    const read = readCounters(octets(reply));
    expect(read.result).toBe('ok');
    for (const side of ['trunk', 'agent'] as const) {
      expect(packetsFrom(read, side)).toBe(packetsFrom(whole, side));
    }
    expect(packetsFrom(read, 'trunk')).toBe(501);
  });

  it('leave out plain RTP that rtpengine 10.5 refused for its source, and keep SRTP, of which it counts only the authentic', () => {
    const refused = (protocol: string) => {
      const { medias, ...rest } = tag(500, 20) as { readonly medias: readonly object[] };
      return { ...rest, medias: medias.map((media) => ({ ...media, protocol })) } as Bencoded;
    };
    const both = { result: 'ok', tags: { trunk: refused('RTP/SAVP'), agent: refused('RTP/AVP') } };
    const read = withoutRefused(readCounters(octets(both)));
    expect(packetsFrom(read, 'trunk')).toBe(501);
    expect(packetsFrom(read, 'agent')).toBe(481);
  });

  it('have the last RTCP reports, without what only the record needs', () => {
    const whole = reply as unknown as NgReply;
    const read = readCounters(octets(reply));
    for (const side of ['trunk', 'agent'] as const) {
      expect(readReports(read, side)).toEqual(readReports(whole, side));
      expect(readRtpPackets(read, side)).toBe(readRtpPackets(whole, side));
    }
    expect(readReports(read, 'trunk')).toEqual({
      lost: 12,
      jitter: 2,
      roundTrip: 0.9,
      at: 1_795_000_005,
      losses: [
        { at: 1_795_000_000, lossPercent: 1 },
        { at: 1_795_000_005, lossPercent: 0 },
      ],
    });
    expect(JSON.stringify(read)).not.toMatch(/average|totals|endpoint|crypto/);
  });

  it('have what the record needs at the end of the call', () => {
    const whole = reply as unknown as NgReply;
    const totals = readTotals(octets(reply));
    expect(readStatistics(totals)).toEqual(readStatistics(whole));
    expect(JSON.stringify(totals)).toMatch(/average/);
    expect(JSON.stringify(totals)).not.toMatch(/totals|endpoint|crypto/);
  });

  it('are absent for a call that the node does not know', () => {
    const read = readCounters(octets({ result: 'error', 'error-reason': 'Unknown call-id' }));
    expect(read).toEqual({ result: 'error', 'error-reason': 'Unknown call-id' });
    expect(packetsFrom(read, 'trunk')).toBeUndefined();
  });

  it.each([
    '',
    'd',
    'd6:result',
    'd6:result99:ok',
    'd1:ai',
    'di1ee',
    'l',
    '-1:',
    'x',
    'd3:abcie',
    'l'.repeat(30),
  ])('refuses %j', (text) => {
    expect(() => readCounters(Buffer.from(text))).toThrow();
  });
});
