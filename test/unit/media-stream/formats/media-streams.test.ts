import { describe, expect, it } from 'vitest';
import { factsOf } from '../../../../src/bot/messages.js';
import type { BotOrder } from '../../../../src/media-stream/formats/format.js';
import { MediaShape, MediaStreamsFormat } from '../../../../src/media-stream/formats/media-streams.js';
import { decode } from '../../../../src/rtp/g711.js';

const facts = {
  streamSid: `MZ${'1'.repeat(32)}`,
  callSid: `CA${'2'.repeat(32)}`,
  accountSid: `AC${'3'.repeat(32)}`,
  from: '+13125550100',
  to: '+13125550199',
  direction: 'inbound',
  sipCallId: 'abc@trunk',
  parameters: { tenant: 'blue' },
  headers: { 'x-customer': 'c1' },
  isReconnected: false,
} as const;

class Listener {
  readonly seen: unknown[] = [];
  audio(octets: Uint8Array): void {
    this.seen.push(['audio', Buffer.from(octets).toString('hex')]);
  }
  mark(name: string): void {
    this.seen.push(['mark', name]);
  }
  clear(): void {
    this.seen.push(['clear']);
  }
  order(order: BotOrder): void {
    this.seen.push(['order', order]);
  }
  unknown(why: string): void {
    this.seen.push(['unknown', why]);
  }
}

function read(text: string, codec: 'PCMU' | 'PCMA' = 'PCMU'): unknown[] {
  const listener = new Listener();
  new MediaStreamsFormat(codec).read(Buffer.from(text), false, listener);
  return listener.seen;
}

describe('the messages to a bot', () => {
  it('begin with connected and start, which count from 1 and contain the facts of the call as strings', () => {
    const [connected, start] = new MediaStreamsFormat('PCMU').opening(facts).map((text) => JSON.parse(text));
    expect(connected).toEqual({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    expect(start).toEqual({
      event: 'start',
      sequenceNumber: '1',
      streamSid: facts.streamSid,
      start: {
        streamSid: facts.streamSid,
        callSid: facts.callSid,
        accountSid: facts.accountSid,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8_000, channels: 1 },
        customParameters: {
          from_number: facts.from,
          to_number: facts.to,
          From: facts.from,
          To: facts.to,
          direction: 'inbound',
          sipCallId: 'abc@trunk',
          'x-customer': 'c1',
          tenant: 'blue',
        },
      },
    });
  });

  it('begin with what the agent of the call is and follows', () => {
    const agent = { pathway_id: 'path_1', pathway_version: '5', token: 'ours' };
    const [, start] = new MediaStreamsFormat('PCMU')
      .opening({ ...facts, agent })
      .map((text) => JSON.parse(text));
    expect(start.start.customParameters).toMatchObject({ ...agent, tenant: 'blue' });
    expect(factsOf(start).parameters).toMatchObject(agent);
  });

  it('count sequence, chunk and milliseconds in strings', () => {
    const format = new MediaStreamsFormat('PCMU');
    format.opening(facts);
    const frame = new Uint8Array(160).fill(0xff);
    const [first, second] = [0, 20].map((milliseconds) =>
      JSON.parse(String(format.media(frame, milliseconds))),
    );
    expect(first).toEqual({
      event: 'media',
      sequenceNumber: '2',
      media: { track: 'inbound', chunk: '1', timestamp: '0', payload: Buffer.from(frame).toString('base64') },
      streamSid: facts.streamSid,
    });
    expect(second).toMatchObject({ sequenceNumber: '3', media: { chunk: '2', timestamp: '20' } });
    expect(JSON.parse(format.digit('#'))).toEqual({
      event: 'dtmf',
      streamSid: facts.streamSid,
      sequenceNumber: '4',
      dtmf: { track: 'inbound_track', digit: '#' },
    });
    expect(JSON.parse(format.mark('a "quoted" name'))).toMatchObject({ mark: { name: 'a "quoted" name' } });
    expect(JSON.parse(format.ending())).toEqual({
      event: 'stop',
      sequenceNumber: '6',
      stop: { accountSid: facts.accountSid, callSid: facts.callSid },
      streamSid: facts.streamSid,
    });
  });

  it('have μ-law also where the call has A-law', () => {
    const silence = new Uint8Array(160).fill(0xd5);
    const { media } = JSON.parse(String(new MediaStreamsFormat('PCMA').media(silence, 0)));
    // A-law has no zero: its smallest value is 8.
    expect(Math.max(...decode('PCMU', Buffer.from(media.payload, 'base64')))).toBeLessThanOrEqual(8);
  });
});

describe('the messages of a bot', () => {
  it.each([
    ['as most write it', '{"event":"media","streamSid":"MZ","media":{"payload":"AQID"}}'],
    ['with blanks, as Python does', '{"event": "media", "streamSid": "MZ", "media": {"payload": "AQID"}}'],
    ['with another order', '{"media":{"payload":"AQID","track":"outbound"},"event":"media"}'],
    ['on several lines', '{\n\t"event" :\r\n "media",\n "media" : { "payload" :\n"AQID" } }'],
    ['with an escaped name elsewhere', '{"event":"media","note":"\\"payload\\"","media":{"payload":"AQID"}}'],
    ['with escaped slashes', '{"event":"media","media":{"payload":"AQ\\u0049D"}}'],
  ])('bring audio: %s', (_name, text) => {
    expect(read(text)).toEqual([['audio', '010203']]);
  });

  it('are converted to the codec of the call', () => {
    expect(read('{"event":"media","media":{"payload":"/w=="}}', 'PCMA')).toEqual([['audio', 'd5']]);
  });

  it.each([
    [
      'a name inside of a string',
      '{"event":"mark","mark":{"name":"\\"event\\":\\"media\\" \\"payload\\":\\"AQID\\""}}',
    ],
    ['a payload of another event', '{"event":"mark","payload":"AQID","mark":{"name":"m"}}'],
  ])('bring no audio: %s', (_name, text) => {
    expect(read(text)).toHaveLength(1);
    expect(read(text)[0]).toContain('mark');
  });

  it.each([
    ['{"event":"media","media":{"payload":"no base64!"}}', 'media without a payload in base64'],
    ['{"event":"media"}', 'media without a payload in base64'],
    ['{"event":"mark","mark":{}}', 'mark without a name'],
    ['{"event":"surprise"}', 'event surprise'],
    ['{"event":7}', 'a message without an event'],
    ['[]', 'a message without an event'],
    ['null', 'JSON that is not an object'],
    ['{"event":', 'a text that is not JSON'],
    ['{"event":"hold","on":"yes"}', 'hold: on Invalid input: expected boolean, received string'],
  ])('are ignored: %s', (text, why) => {
    expect(read(text)).toEqual([['unknown', why]]);
  });

  it('may be orders', () => {
    expect(read('{"event":"hangup"}')).toEqual([['order', { kind: 'hangup', reason: undefined }]]);
    expect(read('{"event":"transfer","to":"+13125550123"}')).toEqual([
      ['order', { kind: 'transfer', target: '+13125550123', replaces: undefined }],
    ]);
    expect(read('{"event":"send_dtmf","digits":"12#"}')).toEqual([
      ['order', { kind: 'dtmf', digits: '12#', milliseconds: undefined }],
    ]);
    expect(read('{"event":"reject","status":486,"reason":"busy"}')).toEqual([
      ['order', { kind: 'reject', status: 486, reason: 'busy' }],
    ]);
  });

  it('clear and mark', () => {
    expect(read('{"event":"clear","streamSid":"MZ"}')).toEqual([['clear']]);
    expect(read('{"event":"mark","streamSid":"MZ","mark":{"name":"end"}}')).toEqual([['mark', 'end']]);
  });
});

describe('the payload that is found without parsing', () => {
  const found = (text: string, shape = new MediaShape()): string | undefined => {
    const into = Buffer.alloc(100);
    const length = shape.decode(Buffer.from(text), into);
    return length < 0 ? undefined : into.toString('hex', 0, length);
  };

  it('is not looked for far into a message', () => {
    expect(found(`{"x":"${'x'.repeat(600)}","event":"media","payload":"AQID"}`)).toBeUndefined();
    expect(found(`{"event":"media","payload":${' '.repeat(600)}"AQID"}`)).toBeUndefined();
  });

  it('needs the event beside it', () => {
    expect(found('{"media":{"payload":"AQID"}}')).toBeUndefined();
    expect(found('{"event":"media","media":{"payload":"AQID"')).toBe('010203');
    expect(found('{"event":"media","media":{"payload":"AQID')).toBeUndefined();
    expect(found('{"event":"media","media":{"payload":17}}')).toBeUndefined();
  });

  it('is found by what was around the one before, and without it', () => {
    const shape = new MediaShape();
    const message = (payload: string, event = 'media') =>
      `{"event":"${event}","media":{"payload":"${payload}"}}`;
    expect(found(message('AQID'), shape)).toBe('010203');
    expect(found(message('AQIDBA=='), shape)).toBe('01020304');
    expect(found(message('AQ","x":"A'), shape)).toBeUndefined();
    expect(found(message('AQI!'), shape)).toBeUndefined();
    expect(found(message('AQID', 'other'), shape)).toBeUndefined();
    expect(found('{"media":{"payload": "BQ"}, "event":"media"}', shape)).toBe('05');
    expect(found(message('AQI'), shape)).toBe('0102');
    expect(found(message(''), shape)).toBe('');
  });
});
