/**
 * Share (0 to 1) of the power of the samples that is at one frequency, by Goertzel's algorithm.
 * A sine of that frequency gives 1 when the samples hold many of its periods.
 * @param rate samples per second
 */
export function toneShare(samples: Int16Array | Float32Array, rate: number, hertz: number): number {
  const coefficient = 2 * Math.cos((2 * Math.PI * hertz) / rate);
  let previous = 0;
  let beforePrevious = 0;
  let energy = 0;
  for (const sample of samples) {
    const current = sample + coefficient * previous - beforePrevious;
    beforePrevious = previous;
    previous = current;
    energy += sample * sample;
  }
  if (energy === 0) return 0;
  const power =
    previous * previous + beforePrevious * beforePrevious - coefficient * previous * beforePrevious;
  return Math.min(1, (2 * power) / (samples.length * energy));
}
