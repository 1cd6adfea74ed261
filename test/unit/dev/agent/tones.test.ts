import { expect, it } from 'vitest';
import { tonePackets } from '../../../../dev/agent/tones.js';
import { decode } from '../../../../src/rtp/g711.js';

it.each(['PCMU', 'PCMA'] as const)('the tone in %s is 440 Hz', (codec) => {
  const pattern = [...decode(codec, Buffer.concat([...tonePackets.greeting[codec]]))];
  const samples = [
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
    ...pattern,
  ];
  let rising = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i - 1]! < 0 && samples[i]! >= 0) rising++;
  expect(rising).toBeGreaterThanOrEqual(438);
  expect(rising).toBeLessThanOrEqual(441);
});
