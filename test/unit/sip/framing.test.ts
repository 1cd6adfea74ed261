import { describe, expect, it } from 'vitest';
import { fullCollection } from '../../../src/base/idle-memory.js';
import type { FramedItem } from '../../../src/sip/framing.js';
import { FramingError, StreamFramer } from '../../../src/sip/framing.js';
import { parseMessage } from '../../../src/sip/parse.js';
import { sample, seededRandom } from './sample.js';

const limits = { maximumHeaderBytes: 2048, maximumMessageBytes: 4096 };
const octets = (text: string): Buffer => Buffer.from(text, 'latin1');
const names = (items: FramedItem[]): string[] =>
  items.map((item) => (item.kind === 'message' ? item.message.body : item.kind));

function push(text: string): FramedItem[] {
  return new StreamFramer(limits).push(octets(text));
}

function failureOf(text: string): FramingError {
  try {
    push(text);
  } catch (error) {
    if (error instanceof FramingError) return error;
    throw error;
  }
  throw new Error('was framed');
}

const withBody = (body: string, length = String(body.length)): string =>
  sample({ lines: { 'Content-Length': length }, body });

describe('StreamFramer', () => {
  it('cuts messages that come in one chunk', () => {
    const items = push(withBody('one') + withBody('') + withBody('three\r\n\r\n3'));
    expect(names(items)).toEqual(['one', '', 'three\r\n\r\n3']);
    const [first] = items;
    expect(first?.kind === 'message' && first.bytes.toString('latin1')).toBe(withBody('one'));
  });

  it('says what the parser says, wherever the chunks are torn', () => {
    const texts = [
      withBody('one'),
      '\r\n',
      withBody('two\r\n'),
      '\r\n\r\n',
      withBody(''),
      withBody('x'.repeat(700)),
    ];
    const stream = octets(texts.join(''));
    const random = seededRandom(7);
    for (let round = 0; round < 300; round++) {
      const framer = new StreamFramer(limits);
      const items: FramedItem[] = [];
      for (let at = 0; at < stream.length; ) {
        const size = round === 0 ? 1 : 1 + Math.floor(random() ** 3 * 900);
        items.push(...framer.push(Buffer.from(stream.subarray(at, at + size))));
        at += size;
      }
      const messages = items.filter((item) => item.kind === 'message');
      expect(messages.map(({ message }) => message.body)).toEqual(['one', 'two\r\n', '', 'x'.repeat(700)]);
      for (const { bytes, message } of messages) expect(parseMessage(bytes)).toEqual({ ok: true, message });
      expect(items.some(({ kind }) => kind === 'ping')).toBe(true);
      expect(framer.isMidMessage).toBe(false);
    }
  });

  it('distinguishes pings from pongs, split ones too', () => {
    expect(names(push('\r\n\r\n'))).toEqual(['ping']);
    expect(names(push('\r\n'))).toEqual(['pong']);
    expect(names(push('\r\n\r\n\r\n\r\n'))).toEqual(['ping', 'ping']);
    expect(names(push(`\r\n\r\n${withBody('a')}\r\n${withBody('b')}`))).toEqual(['ping', 'a', 'pong', 'b']);
    const framer = new StreamFramer(limits);
    const torn = ['\r', '\n\r', '\n', '\r\n', '\r\n', '\r\n'].map((text) => names(framer.push(octets(text))));
    expect(torn).toEqual([[], [], ['ping'], ['pong'], ['ping'], ['pong']]);
  });

  it('knows whether it holds part of a message', () => {
    const framer = new StreamFramer(limits);
    const states = ['\r', '\n', 'INV', `${withBody('body').slice(3, -2)}`, 'dy'].map((text) => {
      framer.push(octets(text));
      return framer.isMidMessage;
    });
    expect(states).toEqual([false, false, true, true, false]);
  });

  it('does not let later octets change a message already handed out', () => {
    const framer = new StreamFramer(limits);
    framer.push(octets(withBody('one').slice(0, 50)));
    const [item] = framer.push(octets(withBody('one').slice(50) + withBody('two').slice(0, 80)));
    framer.push(octets(withBody('two').slice(80)));
    expect(item?.kind === 'message' && item.bytes.toString('latin1')).toBe(withBody('one'));
  });
});

describe('what the framer refuses', () => {
  it.each([
    ['a negative length', withBody('abc', '-3')],
    ['a signed length', withBody('abc', '+3')],
    ['a length in hexadecimal', withBody('abc', '0x3')],
    ['a length with a fraction', withBody('abc', '3.0')],
    ['a list of lengths', withBody('abc', '3, 3')],
    ['an empty length', withBody('abc', '')],
    ['a length with a blank inside', withBody('abc', '1 2')],
    ['a length that overflows 32 bits', withBody('abc', '4294967299')],
    ['a length that overflows everything', withBody('abc', '9'.repeat(400))],
    ['a length in other digits', sample({ lines: { 'Content-Length': '\xb3' }, body: 'abc' })],
    ['two different lengths', sample({ extra: ['l: 3'], body: 'abc' })],
    ['two equal lengths', sample({ extra: ['Content-length: 0'] })],
    [
      'a length after a bare LF',
      sample({ lines: { 'Content-Length': undefined }, extra: ['X: 1\nContent-Length: 3'] }),
    ],
    ['a bare CR', sample({ extra: ['X: 1\rY: 2'] })],
    [
      'a body without length',
      sample({ lines: { 'Content-Length': undefined }, extra: ['c: text/plain'], body: 'x' }),
    ],
    ['a blank in a name', sample({ extra: ['Content-Length x: 3'] })],
    ['a line without colon', sample({ extra: ['Content-Length'] })],
    ['a NUL in a name', sample({ extra: ['Content-Length\0: 3'] })],
  ])('%s: 400', (_, text) => {
    const failure = failureOf(text);
    expect(failure.status).toBe(400);
    expect(failure.salvage?.headers.get('CSeq')).toBe('314159 INVITE');
    expect(failure.head?.toString('latin1')).toBe(text.slice(0, text.indexOf('\r\n\r\n') + 4));
  });

  it.each([
    [
      'a folded length',
      sample({ lines: { 'Content-Length': undefined }, extra: ['Content-Length:\r\n 3'], body: 'abc' }),
    ],
    [
      'blanks before the colon',
      sample({ lines: { 'Content-Length': undefined }, extra: ['cOnTeNt-LeNgTh \t: 3 '], body: 'abc' }),
    ],
    ['leading zeros', withBody('abc', '0003')],
    ['the compact name', sample({ lines: { 'Content-Length': undefined }, extra: ['L:3'], body: 'abc' })],
  ])('but not %s', (_, text) => {
    expect(names(push(text))).toEqual(['abc']);
  });

  it('takes a missing length as 0 when nothing announces a body, and refuses what is no message after it', () => {
    const without = sample({ lines: { 'Content-Length': undefined } });
    expect(names(push(without + withBody('next')))).toEqual(['', 'next']);
    expect(failureOf(`${without}v=0\r\no=-\r\n\r\n`)).toMatchObject({
      status: 400,
      message: 'Bad Start Line',
    });
  });

  it('delivers complete messages before the fault, and none after it', () => {
    const framer = new StreamFramer(limits);
    const text = withBody('good') + withBody('bad', 'x') + withBody('smuggled');
    const thrown: unknown[] = [];
    for (const part of [text, withBody('later')]) {
      try {
        framer.push(octets(part));
      } catch (error) {
        thrown.push(error);
      }
    }
    expect(thrown).toHaveLength(2);
    expect(thrown[0]).toBe(thrown[1]);
    expect(names((thrown[0] as FramingError).items)).toEqual(['good']);
  });

  it('bounds the head, complete or not (513), and the body before it comes (413)', () => {
    expect(failureOf(`INVITE sip:a@b SIP/2.0\r\nX: ${'a'.repeat(2100)}`).status).toBe(513);
    expect(failureOf(sample({ extra: [`X: ${'a'.repeat(2100)}`] })).status).toBe(513);
    const large = failureOf(withBody('', '1000000'));
    expect(large.status).toBe(413);
    expect(large.salvage?.method).toBe('INVITE');
  });

  it('salvages nothing of a refused response, which cannot be answered', () => {
    expect(
      failureOf(sample({ startLine: 'SIP/2.0 200 OK', lines: { 'Content-Length': 'x' } })).salvage,
    ).toBeUndefined();
  });

  it('refuses a bare CR between messages', () => {
    expect(failureOf('\rINVITE').status).toBe(400);
  });

  it('keeps no octets of a message that came in two chunks', async () => {
    const framer = new StreamFramer(limits);
    const text = withBody('x'.repeat(700));
    expect(framer.push(octets(text.slice(0, 500)))).toEqual([]);
    const storageOf = (items: FramedItem[]): WeakRef<object> => {
      const [item] = items;
      if (item?.kind !== 'message') throw new Error('was not framed');
      return new WeakRef(item.bytes.buffer);
    };
    const storage = storageOf(framer.push(octets(text.slice(500))));
    // A WeakRef keeps its target until the turn ends.
    await new Promise((resolve) => setImmediate(resolve));
    fullCollection()();
    expect(storage.deref()).toBeUndefined();
    expect(names(framer.push(octets(withBody('next'))))).toEqual(['next']);
  });
});
