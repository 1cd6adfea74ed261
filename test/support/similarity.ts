/** Below this share of the energy of all that is searched there is silence, where only rounding would be compared. */
const silence = 1e-12;

interface Complex {
  readonly real: Float64Array;
  readonly imaginary: Float64Array;
}

/**
 * How similar a piece is to what begins at each of `count` places of a recording, by normalized correlation (1: the same). A recording is
 * silent before its begin and after its end. By Fourier transforms, because speech is searched at thousands of places.
 */
export function similarities(
  recording: ArrayLike<number>,
  piece: ArrayLike<number>,
  from: number,
  count: number,
): Float64Array {
  const length = count + piece.length - 1;
  const size = 2 ** Math.ceil(Math.log2(length));
  const heard = { real: new Float64Array(size), imaginary: new Float64Array(size) };
  const energyBefore = new Float64Array(length + 1);
  for (let index = 0; index < length; index++) {
    const sample = recording[from + index] ?? 0;
    heard.real[index] = sample;
    energyBefore[index + 1] = energyBefore[index]! + sample * sample;
  }
  const sought = { real: new Float64Array(size), imaginary: new Float64Array(size) };
  let ownEnergy = 0;
  for (let index = 0; index < piece.length; index++) {
    sought.real[index] = piece[index]!;
    ownEnergy += piece[index]! ** 2;
  }
  const products = correlation(heard, sought);
  const found = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const energy = energyBefore[at + piece.length]! - energyBefore[at]!;
    if (energy > silence * energyBefore[length]!) found[at] = products[at]! / Math.sqrt(energy * ownEnergy);
  }
  return found;
}

/** The sum of `heard[lag + place] * sought[place]` for each lag. Changes both. */
function correlation(heard: Complex, sought: Complex): Float64Array {
  transform(heard);
  transform(sought);
  const { real, imaginary } = heard;
  const size = real.length;
  for (let index = 0; index < size; index++) {
    const [a, b, c, d] = [real[index]!, imaginary[index]!, sought.real[index]!, sought.imaginary[index]!];
    // The conjugate: its transform is the transform back.
    real[index] = (a * c + b * d) / size;
    imaginary[index] = (a * d - b * c) / size;
  }
  transform(heard);
  return real;
}

/** The discrete Fourier transform in place (Cooley and Tukey); the length is a power of two. */
function transform({ real, imaginary }: Complex): void {
  const size = real.length;
  for (let index = 1, reversed = 0; index < size; index++) {
    let bit = size >> 1;
    for (; (reversed & bit) !== 0; bit >>= 1) reversed ^= bit;
    reversed |= bit;
    if (index < reversed) {
      [real[index], real[reversed]] = [real[reversed]!, real[index]!];
      [imaginary[index], imaginary[reversed]] = [imaginary[reversed]!, imaginary[index]!];
    }
  }
  const angles = Float64Array.from({ length: size >> 1 }, (_, index) => (-2 * Math.PI * index) / size);
  const [cosines, sines] = [angles.map(Math.cos), angles.map(Math.sin)];
  for (let half = 1; half < size; half *= 2) {
    const step = size / (2 * half);
    for (let start = 0; start < size; start += 2 * half) {
      for (let index = 0; index < half; index++) {
        const [low, high] = [start + index, start + index + half];
        const [cosine, sine] = [cosines[index * step]!, sines[index * step]!];
        const turnedReal = real[high]! * cosine - imaginary[high]! * sine;
        const turnedImaginary = real[high]! * sine + imaginary[high]! * cosine;
        real[high] = real[low]! - turnedReal;
        imaginary[high] = imaginary[low]! - turnedImaginary;
        real[low] = real[low]! + turnedReal;
        imaginary[low] = imaginary[low]! + turnedImaginary;
      }
    }
  }
}
