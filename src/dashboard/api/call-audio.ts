import { decodingTable } from '../../rtp/g711-decoding.js';
import { ask, demarc } from './client.js';

/** A piece of both channels, samples from -1 to 1. */
export interface StereoPiece {
  /** The caller or callee. */
  readonly left: Float32Array<ArrayBuffer>;
  /** The agent. */
  readonly right: Float32Array<ArrayBuffer>;
}

/** RIFF, `fmt `, `fact` and the head of `data`, as the API sends them. */
const headerOctets = 58;
const fullScale = 32_768;

/** Reads the API's WAVE stream, whose octets arrive in pieces of any length. */
export class StereoReader {
  private headerLeft = headerOctets;
  /** An octet of the left channel whose pair has not arrived. */
  private odd: number | undefined;
  private readonly samples = decodingTable('PCMU');

  /** Undefined: no pair of samples is complete. */
  read(octets: Uint8Array): StereoPiece | undefined {
    const skipped = Math.min(this.headerLeft, octets.length);
    this.headerLeft -= skipped;
    const audio = octets.subarray(skipped);
    const before = this.odd === undefined ? 0 : 1;
    const count = Math.floor((before + audio.length) / 2);
    const at = (index: number): number => (index < before ? this.odd! : audio[index - before]!);
    const channel = (first: number) =>
      Float32Array.from({ length: count }, (_, pair) => this.samples[at(2 * pair + first)]! / fullScale);
    const piece = { left: channel(0), right: channel(1) };
    const isOdd = (before + audio.length) % 2 === 1;
    this.odd = isOdd ? at(before + audio.length - 1) : undefined;
    return count === 0 ? undefined : piece;
  }
}

/** Loudness from 0 (-60 dB of full scale, and less) to 1. */
export function levelOf(samples: Float32Array): number {
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  return power === 0 ? 0 : Math.min(1, Math.max(0, 1 + (10 * Math.log10(power)) / 60));
}

/** Resolves when the API has ended it. Rejects with `ApiFailure` before it begins, and when it breaks off. */
export async function listenToCall(
  callId: string,
  signal: AbortSignal,
  heard: (piece: StereoPiece) => void,
): Promise<void> {
  const answer = await ask(
    demarc.listenToCall({ call_id: callId }, { signal }).then((response) => ({ data: response })),
  );
  const reader = answer.body!.getReader();
  const stereo = new StereoReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    const piece = stereo.read(value);
    if (piece !== undefined) heard(piece);
  }
}
