import { encode, type G711, samplesPerPacket } from '../../rtp/g711.js';

/** What callers hear while no bot speaks: soft, because it must not sound like an alarm. */

const sampleRate = 8_000;
const frames = 100;

/** One cycle of two seconds in frames of 20 ms. */
function cycle(codec: G711, hertz: number, milliseconds: number, level: number): readonly Uint8Array[] {
  const length = (sampleRate * milliseconds) / 1_000;
  const ramp = sampleRate / 50;
  const samples = Int16Array.from({ length: frames * samplesPerPacket }, (_, index) => {
    if (index >= length) return 0;
    const share = Math.min(1, index / ramp, (length - index) / ramp);
    return Math.round(share * level * 32_767 * Math.sin((2 * Math.PI * hertz * index) / sampleRate));
  });
  return Array.from({ length: frames }, (_, frame) =>
    encode(codec, samples.subarray(frame * samplesPerPacket, (frame + 1) * samplesPerPacket)),
  );
}

const made = new Map<string, readonly Uint8Array[]>();

/** `comfort`: the bot has not spoken yet. `hold`: its connection is lost and is being made again. */
export type ToneName = 'comfort' | 'hold';

/** Frames of one cycle, which is repeated. */
export function toneFrames(name: ToneName, codec: G711): readonly Uint8Array[] {
  const key = `${name} ${codec}`;
  let tone = made.get(key);
  if (tone === undefined) {
    tone = name === 'comfort' ? cycle(codec, 440, 200, 0.02) : cycle(codec, 425, 300, 0.04);
    made.set(key, tone);
  }
  return tone;
}
