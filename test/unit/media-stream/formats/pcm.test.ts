import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../src/bot/messages.js';
import type { BotOrder } from '../../../../src/media-stream/formats/format.js';
import { PcmFormat } from '../../../../src/media-stream/formats/pcm.js';
import { decode } from '../../../../src/rtp/g711.js';

const facts = {
  streamSid: 'MZ1',
  callSid: 'CA1',
  accountSid: 'AC1',
  from: '+1',
  to: '+2',
  direction: 'inbound',
  sipCallId: 'x',
  parameters: { tenant: 'blue' },
  headers: { 'x-customer': 'c1' },
  isReconnected: true,
} as const;

function listener() {
  const octets: number[] = [];
  const seen: unknown[] = [];
  return {
    octets,
    seen,
    audio: (data: Uint8Array): void => void octets.push(...data),
    mark: (name: string): void => void seen.push(['mark', name]),
    clear: (): void => void seen.push(['clear']),
    order: (order: BotOrder): void => void seen.push(['order', order.kind]),
    unknown: (why: string): void => void seen.push(['unknown', why]),
  };
}

/** A tone in little-endian octets. */
const tone = (rate: number, hertz: number, samples: number): Buffer => {
  const buffer = Buffer.alloc(samples * 2);
  for (let index = 0; index < samples; index++)
    buffer.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * hertz * index) / rate)), index * 2);
  return buffer;
};

describe.each([8_000, 16_000, 24_000] as const)('PCM at %d Hz', (sampleRate) => {
  const make = () => new PcmFormat('PCMU', { sampleRate, preamble: 'demarc' });

  it('has a message of 20 ms for each frame', () => {
    const format = make();
    for (let frame = 0; frame < 5; frame++)
      expect(format.media(new Uint8Array(160).fill(0xff)).length).toBe((sampleRate / 50) * 2);
  });

  it('reads audio in pieces of any length, also with half samples, as if it were one', () => {
    const data = tone(sampleRate, 500, sampleRate);
    const whole = listener();
    make().read(data, true, whole);
    const parts = listener();
    const format = make();
    let at = 0;
    for (let step = 0; at < data.length; step++) {
      const length = [1, 3, 640, 2, 1_281, 7][step % 6]!;
      format.read(data.subarray(at, at + length), true, parts);
      at += length;
    }
    expect(parts.octets).toEqual(whole.octets);
    expect(whole.octets).toHaveLength(8_000);
    expect(Math.max(...decode('PCMU', Uint8Array.from(whole.octets)))).toBeGreaterThan(7_500);
  });

  it('forgets a half sample and its filter when the bot clears', () => {
    const format = make();
    const heard = listener();
    format.read(tone(sampleRate, 500, 4_000).subarray(0, 7_999), true, heard);
    format.cleared();
    heard.octets.length = 0;
    format.read(Buffer.alloc(2_000), true, heard);
    expect(new Set(heard.octets)).toEqual(new Set([0xff]));
  });
});

describe('the messages of the pcm format', () => {
  it('begin with the facts of the call', () => {
    const format = new PcmFormat('PCMA', { sampleRate: 24_000, preamble: 'demarc' });
    expect(format.subprotocol).toBe('demarc.pcm.v1');
    expect(JSON.parse(format.opening(facts)[0]!)).toEqual({
      event: 'start',
      version: 1,
      stream_id: 'MZ1',
      call_id: 'CA1',
      account_id: 'AC1',
      from: '+1',
      to: '+2',
      direction: 'inbound',
      sip_call_id: 'x',
      reconnected: true,
      media: { encoding: 'pcm_s16le', sample_rate: 24_000, channels: 1, frame_ms: 20 },
      headers: { 'x-customer': 'c1' },
      parameters: { tenant: 'blue' },
    });
    expect(JSON.parse(format.mark('m', false, 1_234.5))).toEqual({
      event: 'mark',
      name: 'm',
      played: false,
      played_ms: 1_235,
    });
  });

  it('begin with what the agent of the call is and follows', () => {
    const agent = { pathway_id: 'path_1', token: 'ours' };
    const opening = (preamble: 'demarc' | 'listen') =>
      JSON.parse(new PcmFormat('PCMU', { sampleRate: 8_000, preamble }).opening({ ...facts, agent })[0]!);
    expect(opening('demarc')).toMatchObject({ agent, parameters: { tenant: 'blue' } });
    expect(factsOf(opening('demarc')).parameters).toEqual({ ...agent, tenant: 'blue' });
    expect(opening('listen').metadata).toEqual({ ...agent, tenant: 'blue' });
  });

  it('of jambonz listen are understood with that preamble alone', () => {
    const texts = ['killAudio', 'clearMarks', 'disconnect'].map((type) => JSON.stringify({ type }));
    const mark = JSON.stringify({ type: 'mark', data: { name: 'm' } });
    const listen = new PcmFormat('PCMU', { sampleRate: 8_000, preamble: 'listen' });
    expect(listen.subprotocol).toBe('audio.jambonz.org');
    expect(JSON.parse(listen.opening(facts)[0]!)).toMatchObject({
      callSid: 'CA1',
      sampleRate: 8_000,
      mixType: 'mono',
    });
    const heard = listener();
    for (const text of [...texts, mark]) listen.read(Buffer.from(text), false, heard);
    expect(heard.seen).toEqual([['clear'], ['clear'], ['order', 'hangup'], ['mark', 'm']]);
    const own = listener();
    new PcmFormat('PCMU', { sampleRate: 8_000, preamble: 'demarc' }).read(Buffer.from(texts[0]!), false, own);
    expect(own.seen).toEqual([['unknown', 'a message without an event']]);
  });
});
