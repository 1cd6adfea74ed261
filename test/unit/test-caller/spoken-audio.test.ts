import { expect, it } from 'vitest';
import type { SpokenLine } from '../../../src/contract/voice-call.js';
import { levelOf } from '../../../src/rtp/speech-detector.js';
import { SpokenAudio } from '../../../src/test-caller/spoken-audio.js';

/** A tone between two silences. */
const tone = (before: number, milliseconds: number, after: number): Int16Array =>
  Int16Array.from({ length: (before + milliseconds + after) * 8 }, (_, index) => {
    const at = index / 8 - before;
    return at >= 0 && at < milliseconds ? Math.round(5_000 * Math.sin(index / 2)) : 0;
  });

function speak(audio: SpokenAudio, from: number, until: number): number[] {
  const loud: number[] = [];
  for (let at = from; at < until; at += 20) if (levelOf(audio.frame(at)) > -40) loud.push(at);
  return loud;
}

it('speaks one line after the other, without the silence around them', () => {
  const said: SpokenLine[] = [];
  const audio = new SpokenAudio((line) => said.push(line));
  expect(audio.say(1, tone(300, 400, 500), null)).toBe(true);
  expect(audio.say(2, tone(0, 200, 0), null)).toBe(true);
  const loud = speak(audio, 100, 1_000);
  expect(said).toEqual([
    { line: 1, from: 100, to: 500, isCut: false },
    { line: 2, from: 500, to: 700, isCut: false },
  ]);
  expect([loud[0], loud.at(-1)]).toEqual([100, 680]);
});

it('interrupts the agent so long after it began, and not before', () => {
  const audio = new SpokenAudio(() => {});
  audio.say(1, tone(0, 200, 0), 300);
  expect(speak(audio, 0, 1_000)).toEqual([]);
  audio.agentBegan(1_000);
  expect(speak(audio, 1_000, 2_000)[0]).toBe(1_300);
});

it('a line that the end of the call cuts says so', () => {
  const audio = new SpokenAudio(() => {});
  audio.say(1, tone(0, 500, 0), null);
  speak(audio, 0, 200);
  audio.finish(200);
  expect(audio.lines).toEqual([{ line: 1, from: 0, to: 200, isCut: true }]);
});

it('refuses audio without sound', () => {
  expect(new SpokenAudio(() => {}).say(1, new Int16Array(8_000), null)).toBe(false);
});
