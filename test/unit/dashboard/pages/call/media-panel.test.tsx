import { describe, expect, it } from 'vitest';
import type { CallDetail, CallMedia, RtpSide } from '../../../../../src/dashboard/api/calls.js';
import { MediaPanel, qualityOf } from '../../../../../src/dashboard/pages/call/media-panel.js';
import { type Rendered, rendered } from '../../rendered.js';

const side = (fields: Partial<RtpSide> = {}): RtpSide => ({
  packets_received: 1_500,
  packets_sent: 1_480,
  octets_received: 258_000,
  octets_sent: 900,
  errors: 0,
  ...fields,
});

const media = (fields: Partial<CallMedia> = {}): CallMedia =>
  ({
    trunk_codec: 'PCMA',
    agent_codec: 'PCMU',
    srtp_suite: 'AES_CM_128_HMAC_SHA1_80',
    rtp: { trunk: side(), agent: side() },
    quality: null,
    turns: null,
    ...fields,
  }) as CallMedia;

interface Options {
  readonly isEnded?: boolean;
  readonly talked?: number;
  readonly moves?: CallDetail['media_moves'];
}

const panel = (
  shown: CallMedia | null,
  { isEnded = true, talked = 30_000, moves = [] }: Options = {},
): Rendered => rendered(<MediaPanel media={shown} moves={moves} isEnded={isEnded} talked={talked} />);

const row = ({ all }: Rendered, name: string): string =>
  all('tr').find((text) => text.startsWith(name)) ?? `no row ${name}`;

describe('the quality of a MOS', () => {
  it.each([
    [4.5, ['good', 'good']],
    [4, ['good', 'good']],
    [3.99, ['warn', 'fair']],
    [3.6, ['warn', 'fair']],
    [3.59, ['bad', 'poor']],
    [3.1, ['bad', 'poor']],
    [3.09, ['bad', 'bad']],
  ])('of %d is %j', (mos, expected) => {
    expect(qualityOf(mos)).toEqual(expected);
  });
});

describe('the media panel', () => {
  it('says why there is no table', () => {
    expect(panel(null).text).toBe('Media The call ended before any media was set up.');
    expect(panel(null, { isEnded: false }).text).toBe('Media No media is set up yet.');
    expect(panel(media({ trunk_codec: null }), { isEnded: false }).text).toBe(
      'Media so far Waiting for the SDP answer.',
    );
  });

  it('expects no media of an unanswered call', () => {
    const unused = { trunk: side({ packets_received: 0 }), agent: null };
    expect(panel(media({ rtp: unused }), { talked: 0 }).text).toBe('Media Not answered; no media expected.');
    // Early media flowed: the figures are of interest.
    const early = panel(media(), { talked: 0 });
    expect(early.text).toContain('Not answered; no media expected.');
    expect(row(early, 'Packets received')).toContain('1,500');
    expect(panel(media()).text).not.toContain('Not answered');
  });

  it('has the figures of both sides', () => {
    const shown = panel(
      media({
        rtp: {
          trunk: side({
            packets_lost: 15,
            jitter_milliseconds: 3.25,
            round_trip_milliseconds: 42,
            mos: 4.21,
            errors: 7,
          }),
          agent: null,
        },
      }),
    );
    expect(row(shown, 'Codec')).toBe('Codec PCMA PCMU');
    expect(row(shown, 'Encryption')).toMatch(/^Encryption SRTP .* none, private network$/);
    expect(row(shown, 'Packets received')).toBe('Packets received 1,500 (252 KB) not reported');
    expect(row(shown, 'Packets sent')).toBe('Packets sent 1,480 (900 B) not reported');
    expect(row(shown, 'Lost')).toBe('Lost 15 (0.99 %) not reported');
    expect(row(shown, 'Jitter')).toBe('Jitter 3.3 ms not reported');
    expect(row(shown, 'Round trip')).toBe('Round trip 42 ms not reported');
    expect(row(shown, 'MOS')).toBe('MOS (1 to 5) 4.2, good not reported');
    expect(row(shown, 'Rejected packets')).toBe('Rejected packets 7 not reported');
    expect(shown.text).not.toContain('require RTCP');
  });

  it('says what needs RTCP reports, while neither side sent one', () => {
    const shown = panel(media());
    for (const name of ['Lost', 'Jitter', 'Round trip', 'MOS'])
      expect(row(shown, name)).toMatch(/ not reported not reported$/);
    expect(shown.text).toContain('Loss, jitter and MOS require RTCP reports');
  });

  it('divides no loss by no packets', () => {
    const rtp = { trunk: side({ packets_lost: 0, packets_received: 0 }), agent: side() };
    expect(row(panel(media({ rtp })), 'Lost')).toBe('Lost 0 (0 %) not reported');
  });

  it('tells a plain call from one that never had a suite', () => {
    expect(row(panel(media({ srtp_suite: null })), 'Encryption')).toContain('none (RTP)');
    expect(row(panel(media({ srtp_suite: null }), { talked: 0 }), 'Encryption')).toContain('not negotiated');
    expect(row(panel(media({ trunk_codec: null })), 'Codec')).toBe('Codec not reported PCMU');
  });

  it.each([
    ['trunk', 'One-way audio. No audio was received from the trunk: check its firewall and NAT'],
    ['agent', 'One-way audio. No audio was received from the agent'],
    ['both', 'No audio. No audio was received from either side'],
  ] as const)('names the silent side: %s', (silent, words) => {
    const received = (name: 'trunk' | 'agent'): RtpSide =>
      side({ packets_received: silent === 'both' || silent === name ? 0 : 1_500 });
    const shown = panel(media({ rtp: { trunk: received('trunk'), agent: received('agent') } }));
    expect(shown.text).toContain(words);
  });

  it.each([true, false])(
    'says when and why the audio moved to which media server, also while it is up: %s',
    (isEnded) => {
      const at = '2026-11-22T10:00:05.000Z';
      const moves = [
        { at, from: 'rtp-1:2223', to: 'rtp-2:2223', milliseconds: 830 },
        { at: '2026-11-22T10:01:05.000Z', from: 'rtp-2:2223', to: 'rtp-2:2223', milliseconds: 410 },
      ];
      expect(panel(media(), { isEnded, moves }).all('.note').slice(0, 2)).toEqual([
        expect.stringMatching(
          /^\d\d:\d\d:05: media server rtp-1:2223 stopped responding; both sides were connected to rtp-2:2223 after 830 ms\.$/,
        ),
        expect.stringContaining('media server rtp-2:2223 restarted and lost the call'),
      ]);
      expect(panel(media(), { isEnded }).text).not.toContain('media server');
    },
  );

  it('speaks of a call that is up as one with more to come', () => {
    const shown = panel(media(), { isEnded: false, talked: 0 });
    expect(shown.all('h2')).toEqual(['Media so far']);
    expect(shown.text).not.toContain('Not answered');
  });
});
