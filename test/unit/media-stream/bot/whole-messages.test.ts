import type { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import * as library from 'ws';
import { seededRandom } from '../../../../src/base/seeded-random.js';
import { WholeMessages } from '../../../../src/media-stream/bot/whole-messages.js';

type Event = readonly [name: string, ...what: unknown[]];

const { Receiver } = library as unknown as { readonly Receiver: new (options: object) => Writable };

/** What the library makes of octets. */
function reader(events: Event[]): {
  write(octets: Buffer): void;
  /** It reports an error after the turn. */
  reported(): Promise<void>;
  readonly isOver: boolean;
} {
  const receiver = new Receiver({ maxPayload: 256 * 1_024, isServer: false });
  let isOver = false;
  receiver.on('message', (data: Buffer, isBinary: boolean) =>
    events.push(['message', data.toString('latin1'), isBinary]),
  );
  for (const name of ['ping', 'pong'])
    receiver.on(name, (data: Buffer) => events.push([name, data.toString('latin1')]));
  receiver.on('conclude', (code: number) => events.push(['close', code]));
  receiver.on('error', (error) => {
    isOver = true;
    events.push(['error', error.message]);
  });
  return {
    write: (octets) => {
      if (!isOver) receiver.write(Buffer.from(octets));
    },
    reported: async () => {
      if (receiver.errored !== null && !isOver) await new Promise((resolve) => setImmediate(resolve));
    },
    get isOver() {
      return isOver;
    },
  };
}

function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  if (length <= 65_535)
    return Buffer.concat([Buffer.from([first, 126, length >> 8, length & 0xff]), payload]);
  const header = Buffer.alloc(10);
  header.set([first, 127]);
  header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

const text = (length: number): Buffer => Buffer.from('aü'.repeat(length)).subarray(0, length - (length % 3));

/** Frames that servers send, and after some of them what no server may send. */
function stream(random: () => number): Buffer {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)]!;
  const length = (): number => pick([0, 1, 3, 124, 125, 126, 127, 282, 960, 4_000]);
  const plain = (): Buffer => frame(pick([0x81, 0x82]), text(length()));
  const control = (): Buffer => frame(pick([0x89, 0x8a]), text(Math.floor(random() * 126)));
  const fragments = (): Buffer =>
    Buffer.concat([
      frame(pick([0x01, 0x02]), text(length())),
      ...(random() < 0.5 ? [control()] : []),
      frame(0x80, text(length())),
    ]);
  const hostile = (): Buffer =>
    pick([
      Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0x61]),
      frame(pick([0x83, 0x87, 0x8b, 0x8f]), text(2)),
      frame(pick([0xc1, 0xa2, 0x91]), text(5)),
      frame(0x81, Buffer.from([0x61, 0xff])),
      frame(0x81, Buffer.from([0xc3])),
      frame(0x80, text(10)),
      frame(0x09, text(10)),
      Buffer.from([0x89, 0x7e, 0x00, 0x80, ...new Uint8Array(128)]),
      Buffer.from([0x82, 0x7f, 0, 0, 0, 0, 0, 0x10, 0, 0]),
      Buffer.from([0x82, 0x7f, 0xff, 0, 0, 0, 0, 0x10, 0, 0]),
      frame(0x88, Buffer.from([0x03, 0xe8])),
      frame(0x88, Buffer.from([0x00])),
      Buffer.from(Array.from({ length: 40 }, () => Math.floor(random() * 256))),
      Buffer.from('HTTP/1.1 200 OK\r\n\r\n'),
    ]);
  const frames: Buffer[] = [];
  for (let count = Math.floor(random() * 12); count > 0; count--)
    frames.push(
      random() < 0.6 ? plain() : random() < 0.7 ? control() : random() < 0.3 ? fragments() : plain(),
    );
  if (random() < 0.1) frames.push(frame(0x82, text(70_000)));
  if (random() < 0.7) frames.push(hostile());
  frames.push(plain(), control(), plain());
  return Buffer.concat(frames);
}

function pieces(octets: Buffer, random: () => number): Buffer[] {
  const largest = Math.max([1, 3, 20, 300, 5_000, 100_000][Math.floor(random() * 6)]!, octets.length / 500);
  const cut: Buffer[] = [];
  for (let at = 0; at < octets.length; ) {
    const length = 1 + Math.floor(random() * largest);
    cut.push(octets.subarray(at, at + length));
    at += length;
  }
  return cut;
}

it('makes of any octets what the library alone makes of them, however they are cut', async () => {
  let messages = 0;
  for (let seed = 1; seed <= 200; seed++) {
    const random = seededRandom(seed);
    const cut = pieces(stream(random), random);
    const expected: Event[] = [];
    const alone = reader(expected);
    for (const piece of cut) {
      alone.write(piece);
      await alone.reported();
    }

    const events: Event[] = [];
    const rest = reader(events);
    const whole = new WholeMessages({
      mayTake: () => random() < 0.9,
      message: (data, isBinary) => {
        messages++;
        // A connection takes nothing after its end.
        if (!rest.isOver) events.push(['message', data.toString('latin1'), isBinary]);
      },
      octets: (octets) => rest.write(octets),
    });
    const input = Buffer.alloc(100_000);
    for (const piece of cut) {
      // As sockets do, which all read into the same memory.
      piece.copy(input);
      whole.read(input.subarray(0, piece.length));
      input.fill(0xaa, 0, piece.length);
      await rest.reported();
    }
    expect([seed, events]).toEqual([seed, expected]);
  }
  expect(messages).toBeGreaterThan(100);
});

it('leaves nothing of plain messages to the library, also when a header comes in two pieces', () => {
  const texts: string[] = [];
  const passed: Buffer[] = [];
  const whole = new WholeMessages({
    mayTake: () => true,
    message: (data) => texts.push(data.toString()),
    octets: (octets) => passed.push(Buffer.from(octets)),
  });
  const [first, second] = [frame(0x81, text(282)), frame(0x81, Buffer.from('two'))];
  whole.read(Buffer.concat([first, first, second.subarray(0, 1)]));
  whole.read(second.subarray(1));
  expect(texts).toEqual([text(282).toString(), text(282).toString(), 'two']);
  expect(passed).toEqual([]);
});
