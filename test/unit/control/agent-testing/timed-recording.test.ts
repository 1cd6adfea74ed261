import { expect, it } from 'vitest';
import { timedRecording } from '../../../../src/control/agent-testing/voice/timed-recording.js';
import { decode, encode } from '../../../../src/rtp/g711.js';

/** Values of each side, one a millisecond. */
function recordingOf(caller: readonly number[], agent: readonly number[]): Buffer {
  const octets = Buffer.alloc(16 * caller.length);
  for (const [side, values] of [caller, agent].entries()) {
    const samples = encode(
      'PCMU',
      Int16Array.from({ length: 8 * values.length }, (_, at) => values[at >> 3]!),
    );
    for (const [at, octet] of samples.entries()) octets[2 * at + side] = octet;
  }
  return octets;
}

function sidesOf(recording: Buffer): number[][] {
  return [0, 1].map((side) =>
    [
      ...decode(
        'PCMU',
        recording.filter((_, at) => at % 2 === side),
      ),
    ]
      .filter((_, at) => at % 8 === 0)
      .map((value) => Math.round(value / 1_000)),
  );
}

const caller = [1_000, 2_000, 3_000, 4_000, 5_000, 6_000, 7_000, 8_000];

it('moves the agent to where it was, by the delay of each stretch, and leaves the caller', () => {
  const agent = [0, 0, 1_000, 2_000, 0, 0, 3_000, 4_000];
  const delays = [
    { from: 2, by: 1 },
    { from: 6, by: 3 },
  ];
  expect(sidesOf(timedRecording(recordingOf(caller, agent), delays))).toEqual([
    [1, 2, 3, 4, 5, 6, 7, 8],
    [0, 1, 2, 3, 4, 0, 0, 0],
  ]);
});

it('keeps what an overtaken packet brought before the first delay', () => {
  const agent = [0, 0, 1_000, 2_000, 0, 0, 0, 0];
  const [, timed] = sidesOf(timedRecording(recordingOf(caller, agent), [{ from: 3, by: 2 }]));
  expect(timed).toEqual([1, 2, 0, 0, 0, 0, 0, 0]);
});

it('leaves all of it where no delay is known', () => {
  const recording = recordingOf(caller, [0, 1_000, 0, 0, 0, 0, 0, 2_000]);
  expect(timedRecording(recording, [])).toEqual(recording);
  expect(timedRecording(Buffer.alloc(0), [])).toEqual(Buffer.alloc(0));
});
