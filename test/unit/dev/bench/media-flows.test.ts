import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { MediaSide } from '../../../../dev/bench/media-flows.js';
import { masterLength } from '../../../../src/rtp/srtp.js';
import { until } from '../../../../src/testkit/waiting.js';

const sides: MediaSide[] = [];
afterEach(() => {
  for (const side of sides.splice(0)) side.close();
});

const open = async (): Promise<MediaSide> => {
  const codec = { payloadType: 0, clockStep: 160, frames: [Buffer.alloc(160, 1), Buffer.alloc(160, 2)] };
  const side = await MediaSide.open(codec);
  sides.push(side);
  return side;
};

it.each([
  ['counts what arrives, and how long it takes', true],
  ['counts what the keys do not open', false],
])('a flow of media %s', async (_, isRightKey) => {
  const [left, right] = [await open(), await open()];
  const [ofLeft, ofRight] = [randomBytes(masterLength), randomBytes(masterLength)];
  const expected = isRightKey ? ofLeft : randomBytes(masterLength);
  left.join([{ port: right.port, keys: { sent: ofLeft, received: ofRight } }], right, 0.2);
  right.join([{ port: left.port, keys: { sent: ofRight, received: expected } }], left, 0.2);
  for (const side of sides) side.measure();
  await Promise.all([left.talk(), right.talk()]);
  await until(() => sides.every(({ figures }) => figures.received === 10), 2_000, 'all packets');
  expect(left.figures).toEqual({ sent: 10, received: 10, bad: 0 });
  expect(right.figures).toEqual({ sent: 10, received: 10, bad: isRightKey ? 0 : 1 });
  expect(left.delays).toHaveLength(10);
  expect(Math.min(...left.delays)).toBeGreaterThanOrEqual(0);
});
