import type { Sound } from '../../dev/softphone/wav.js';
import { decode, sampleRate } from '../../src/rtp/g711.js';
import { parseWave } from '../../src/rtp/wave.js';

/** What an API client hears of an active call. */
export class Listening {
  private readonly parts: Uint8Array[] = [];
  /** Whether the response was complete; undefined while it is not. */
  isComplete: boolean | undefined;

  private constructor(private readonly reader: ReadableStreamDefaultReader<Uint8Array>) {
    void this.read();
  }

  /** Throws with the answer when it is not audio. */
  static async begin(url: string, key: string, callId: string): Promise<Listening> {
    const answer = await fetch(`${url}/v1/calls/${callId}/audio`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (answer.headers.get('content-type') !== 'audio/wav')
      throw new Error(`${answer.status} ${await answer.text()}`);
    return new Listening(answer.body!.getReader());
  }

  /** The caller's channel and the agent's. */
  get channels(): { readonly left: Sound; readonly right: Sound } {
    const wave = parseWave(Buffer.concat(this.parts));
    if (wave?.encoding !== 'PCMU' || wave.channels !== 2 || wave.rate !== sampleRate)
      throw new Error('Not G.711 in two channels');
    const samples = decode('PCMU', wave.data);
    const channel = (first: number): Sound => ({
      samples: Float32Array.from(
        { length: Math.floor(samples.length / 2) },
        (_, index) => samples[2 * index + first]! / 32_768,
      ),
      rate: sampleRate,
    });
    return { left: channel(0), right: channel(1) };
  }

  async leave(): Promise<void> {
    await this.reader.cancel();
  }

  private async read(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.reader.read();
        if (done) break;
        this.parts.push(value);
      }
      this.isComplete = true;
    } catch {
      this.isComplete = false;
    }
  }
}
