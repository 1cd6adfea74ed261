import type { SpeechEndpoint } from '../../config/speech-settings.js';
import { readWave } from '../../rtp/wave.js';

/** A speech service gave nothing usable. */
export class SpeechFailure extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SpeechFailure';
  }
}

const largestAnswer = 32 * 1024 * 1024;

/**
 * `POST /audio/speech` of an OpenAI-compatible interface: 16-bit samples at 8000 Hz. Rejects as `askSpeech` does.
 * @param options voice: default the endpoint's; speed: 1 is its usual one, which endpoints that know no speed take
 */
export async function synthesize(
  endpoint: SpeechEndpoint,
  text: string,
  { voice, speed = 1 }: { readonly voice?: string | undefined; readonly speed?: number | undefined },
  signal: AbortSignal,
): Promise<Int16Array> {
  const body = JSON.stringify({
    model: endpoint.model,
    input: text,
    response_format: 'wav',
    voice: voice ?? endpoint.voice,
    ...(speed === 1 ? {} : { speed }),
  });
  const headers = { 'content-type': 'application/json' };
  const answer = await askSpeech(endpoint, 'DEMARC_TTS', '/audio/speech', { headers, body }, signal);
  const samples = readWave(answer);
  if (samples === undefined)
    throw new SpeechFailure(
      'The speech service (DEMARC_TTS_URL) answered with audio that is not 16-bit WAV.',
    );
  return samples;
}

/** Rejects with `SpeechFailure`, and with the signal's reason when it fires. No answer and no message of the endpoint reaches the customer: either may repeat the key. */
export async function askSpeech(
  { url, key, timeoutMilliseconds }: SpeechEndpoint,
  setting: string,
  path: string,
  { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body: string | FormData },
  signal: AbortSignal,
): Promise<Buffer> {
  const what = `service of ${setting}_URL`;
  const outOfTime = AbortSignal.timeout(timeoutMilliseconds);
  try {
    const response = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
      body,
      redirect: 'error',
      signal: AbortSignal.any([signal, outOfTime]),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new SpeechFailure(`The ${what} answered ${response.status}.`);
    }
    const chunks: Uint8Array[] = [];
    let octets = 0;
    for await (const chunk of response.body ?? []) {
      octets += chunk.length;
      if (octets > largestAnswer) throw new SpeechFailure(`The ${what} answered with more than 32 MiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SpeechFailure) throw error;
    const { cause } = error as { cause?: { code?: string } };
    const why = outOfTime.aborted
      ? `did not answer within ${timeoutMilliseconds} ms`
      : `is unreachable (${cause?.code ?? (error as Error).name})`;
    throw new SpeechFailure(`The ${what} ${why}.`, { cause: error });
  }
}
