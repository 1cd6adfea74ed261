/**
 * The module of WebAssembly that filters run on: one loop for each number of taps, written here instruction by instruction, so that the
 * build needs no compiler. Numbers are those of the specification's binary format.
 */

/** Of WebAssembly, which the types of Node.js 20 leave out, what is used here. */
interface WebAssemblyInterface {
  validate(octets: Uint8Array<ArrayBuffer>): boolean;
  Module: new (octets: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object) => { readonly exports: object };
}

/**
 * Writes results, each the sum of the products of all taps and as many samples, rounded, shifted and limited to 16 bits. All places and
 * steps are in octets.
 */
export type Convolve = (
  samples: number,
  samplesStep: number,
  taps: number,
  results: number,
  resultsStep: number,
  resultsEnd: number,
  shift: number,
) => void;

export interface VectorModule {
  /** 64 KiB. */
  readonly memory: ArrayBuffer;
  /** By the number of taps. */
  readonly convolve: ReadonlyMap<number, Convolve>;
}

const i32 = 0x7f;
const v128 = 0x7b;
const noResult = 0x40;
const vectorOctets = 16;
export const tapsPerVector = 8;

const parameter = {
  samples: 0,
  samplesStep: 1,
  taps: 2,
  results: 3,
  resultsStep: 4,
  resultsEnd: 5,
  shift: 6,
};
const parameters = Object.keys(parameter).length;
const sum = parameters;

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const loop = [0x03, noResult];
const repeatIf = [0x0d, 0];
const end = [0x0b];
const constantOne = [0x41, 1];
const isLess = [0x49];
const add = [0x6a];
const subtract = [0x6b];
const shiftLeft = [0x74];
const shiftRight = [0x75];
const vector = (...instruction: number[]): number[] => [0xfd, ...instruction];
/** Unaligned. */
const loadVector = (offset: number): number[] => vector(0x00, 0, ...leb128(offset));
const lane = (place: number): number[] => vector(0x1b, place);
/** Products of eight pairs of 16 bits, added in pairs. */
const products = vector(0xba, 0x01);
const addVectors = vector(0xae, 0x01);
const toAllLanes = vector(0x11);
/** Lanes of 32 bits to the nearest of 16. */
const limit = vector(0x85, 0x01);
const storeFirstLane = vector(0x59, 0, 0, 0);

/** An unsigned number in as many octets as it needs. */
function leb128(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...leb128(value >> 7)];
}

const counted = (items: readonly (readonly number[])[]): number[] => [
  ...leb128(items.length),
  ...items.flat(),
];
const section = (id: number, content: readonly number[]): number[] => [
  id,
  ...leb128(content.length),
  ...content,
];
const name = (text: string): number[] => counted([...text].map((letter) => [letter.charCodeAt(0)]));

function convolution(taps: number): number[] {
  const { samples, samplesStep, results, resultsStep, resultsEnd, shift } = parameter;
  const pieces = Array.from({ length: taps / tapsPerVector }, (_, piece) => {
    const offset = piece * vectorOctets;
    const both = [...get(samples), ...loadVector(offset), ...get(parameter.taps), ...loadVector(offset)];
    return [...both, ...products, ...(piece === 0 ? [] : addVectors)];
  });
  const lanes = [0, 1, 2, 3].flatMap((place) => [...get(sum), ...lane(place), ...(place === 0 ? [] : add)]);
  const half = [...constantOne, ...get(shift), ...constantOne, ...subtract, ...shiftLeft];
  const rounded = [...lanes, ...half, ...add, ...get(shift), ...shiftRight, ...toAllLanes, ...set(sum)];
  const stored = [...get(results), ...get(sum), ...get(sum), ...limit, ...storeFirstLane];
  const body = [
    ...loop,
    ...pieces.flat(),
    ...set(sum),
    ...rounded,
    ...stored,
    ...[...get(samples), ...get(samplesStep), ...add, ...set(samples)],
    ...[...get(results), ...get(resultsStep), ...add, ...set(results)],
    ...[...get(results), ...get(resultsEnd), ...isLess, ...repeatIf],
    ...end,
    ...end,
  ];
  const code = [...counted([[1, v128]]), ...body];
  return [...leb128(code.length), ...code];
}

/** Undefined: the processor has no such instructions, or Node.js runs without its compilers. */
export function vectorModule(tapCounts: readonly number[]): VectorModule | undefined {
  const { WebAssembly } = globalThis as { WebAssembly?: WebAssemblyInterface };
  const type = [0x60, ...counted(Array.from({ length: parameters }, () => [i32])), 0];
  const exports = tapCounts.map((taps, index) => [...name(`convolve${taps}`), 0, ...leb128(index)]);
  const octets = Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, counted([type])),
    ...section(3, counted(tapCounts.map(() => [0]))),
    // One page of 64 KiB.
    ...section(5, counted([[0, 1]])),
    ...section(7, counted([[...name('memory'), 2, 0], ...exports])),
    ...section(10, counted(tapCounts.map(convolution))),
  ]);
  if (WebAssembly?.validate(octets) !== true) return undefined;
  const { exports: found } = new WebAssembly.Instance(new WebAssembly.Module(octets));
  const { memory, ...functions } = found as { readonly memory: { readonly buffer: ArrayBuffer } };
  const byName = new Map(Object.entries(functions as Record<string, Convolve>));
  const convolve = new Map(tapCounts.map((taps) => [taps, byName.get(`convolve${taps}`)!]));
  return { memory: memory.buffer, convolve };
}
