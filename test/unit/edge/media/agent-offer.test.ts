import { describe, expect, it } from 'vitest';
import { readAgentOffer } from '../../../../src/edge/media/agent-offer.js';
import { agentDescription } from '../../../contract/media/descriptions.js';

const policy = (order: readonly string[], transcode = false) =>
  ({ order, transcode }) as unknown as Parameters<typeof readAgentOffer>[1];
const pcmu = policy(['PCMU']);
const warningOf = (sdp: string, codecs = pcmu): string => {
  const read = readAgentOffer(sdp, codecs);
  return read.ok ? 'accepted' : read.warning;
};

describe('an offer of an agent', () => {
  it('is read by its first usable audio line', () => {
    const sdp = agentDescription().replace(
      'm=audio',
      'm=video 50000 RTP/AVP 96\r\nm=audio 0 RTP/AVP 0\r\nm=audio 50002 RTP/SAVP 0\r\nm=audio',
    );
    const read = readAgentOffer(sdp, pcmu);
    expect(read).toMatchObject({ ok: true, index: 3 });
    expect(read.ok && read.audio.port).toBe(42_000);
  });

  it.each([
    ['no session description', 'nonsense', '305', 'SDP is not valid'],
    ['no audio', agentDescription().replace('m=audio', 'm=video'), '304', 'RTP/AVP audio required'],
    ['audio that is off', agentDescription({ port: 0 }), '304', 'RTP/AVP audio required'],
    ['SRTP', agentDescription({ protocol: 'RTP/SAVP' }), '304', 'RTP/AVP audio required'],
    [
      'a host name as address',
      agentDescription({ host: 'media.example' }),
      '301',
      'An IP address is required',
    ],
  ])('is refused with %s', (_what, sdp, code, text) => {
    expect(warningOf(sdp)).toContain(code);
    expect(warningOf(sdp)).toContain(text);
  });

  it('needs an enabled codec, or any voice where Demarc converts', () => {
    expect(warningOf(agentDescription({ formats: '8 101' }))).toContain('No common codec');
    expect(warningOf(agentDescription({ formats: '8 101' }), policy(['PCMU', 'PCMA']))).toBe('accepted');
    expect(warningOf(agentDescription({ formats: '8 101' }), policy(['PCMU'], true))).toBe('accepted');
    expect(warningOf(agentDescription({ formats: '101' }), policy(['PCMU'], true))).toContain(
      'No common codec',
    );
  });
});
