import { z } from 'zod';
import type { SpeechEndpoint } from '../../../../config/speech-settings.js';
import { RunFailure } from '../../conversation/channel.js';
import type { SpeechRecognition, SpeechSynthesis } from './speech.js';
import { readWave, writeWave } from './wave.js';

const largestAnswer = 32 * 1024 * 1024;
const transcriptionSchema = z.object({ text: z.string().max(100_000) });

/** `POST /audio/speech` of an OpenAI-compatible interface. */
export const speechService = (endpoint: SpeechEndpoint): SpeechSynthesis => ({
  kind: 'service',
  async speak(text, { voice }, signal) {
    const body = JSON.stringify({
      model: endpoint.model,
      input: text,
      response_format: 'wav',
      voice: voice ?? endpoint.voice,
    });
    const headers = { 'content-type': 'application/json' };
    const answer = await ask(endpoint, 'DEMARC_TTS', '/audio/speech', { headers, body }, signal);
    const samples = readWave(answer);
    if (samples === undefined)
      throw new RunFailure('The speech service (DEMARC_TTS_URL) answered with audio that is not 16-bit WAV.');
    return samples;
  },
});

/** `POST /audio/transcriptions` of an OpenAI-compatible interface. */
export const transcriptionService = (endpoint: SpeechEndpoint): SpeechRecognition => ({
  kind: 'service',
  async understand(samples, { language }, signal) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(writeWave(samples))], { type: 'audio/wav' }), 'turn.wav');
    form.set('model', endpoint.model);
    form.set('language', language.slice(0, 2));
    form.set('response_format', 'json');
    const answer = await ask(endpoint, 'DEMARC_STT', '/audio/transcriptions', { body: form }, signal);
    let value: unknown;
    try {
      value = JSON.parse(answer.toString('utf8'));
    } catch {
      value = undefined;
    }
    const read = transcriptionSchema.safeParse(value);
    if (!read.success)
      throw new RunFailure('The transcription service (DEMARC_STT_URL) gave an unusable answer.');
    return read.data.text.trim() || undefined;
  },
});

/** No answer and no message of the endpoint reaches the customer: either may repeat the key. */
async function ask(
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
      throw new RunFailure(`The ${what} answered ${response.status}.`);
    }
    const chunks: Uint8Array[] = [];
    let octets = 0;
    for await (const chunk of response.body ?? []) {
      octets += chunk.length;
      if (octets > largestAnswer) throw new RunFailure(`The ${what} answered with more than 32 MiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RunFailure) throw error;
    const { cause } = error as { cause?: { code?: string } };
    const why = outOfTime.aborted
      ? `did not answer within ${timeoutMilliseconds} ms`
      : `is unreachable (${cause?.code ?? (error as Error).name})`;
    throw new RunFailure(`The ${what} ${why}.`, { cause: error });
  }
}
