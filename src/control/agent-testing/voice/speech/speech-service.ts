import { z } from 'zod';
import type { SpeechEndpoint } from '../../../../config/speech-settings.js';
import { askSpeech, SpeechFailure, synthesize } from '../../../models/speech-endpoint.js';
import { RunFailure } from '../../conversation/channel.js';
import type { SpeechRecognition, SpeechSynthesis } from './speech.js';
import { writeWave } from './wave.js';

const transcriptionSchema = z.object({ text: z.string().max(100_000) });

/** `POST /audio/speech` of an OpenAI-compatible interface. */
export const speechService = (endpoint: SpeechEndpoint): SpeechSynthesis => ({
  kind: 'service',
  async speak(text, { voice, language, speed }, signal) {
    return synthesize(endpoint, text, { voice: voice ?? voiceFor(endpoint, language), speed }, signal).catch(
      failedRun,
    );
  },
});

/** That of the language with its region, else of the language. */
const voiceFor = ({ voices }: SpeechEndpoint, language: string): string | undefined =>
  voices.get(language.toLowerCase()) ?? voices.get(language.toLowerCase().split('-', 1)[0]!);

/** `POST /audio/transcriptions` of an OpenAI-compatible interface. */
export const transcriptionService = (endpoint: SpeechEndpoint): SpeechRecognition => ({
  kind: 'service',
  async understand(samples, { language }, signal) {
    const form = new FormData();
    form.set('file', new Blob([new Uint8Array(writeWave(samples))], { type: 'audio/wav' }), 'turn.wav');
    form.set('model', endpoint.model);
    form.set('language', language.slice(0, 2));
    form.set('response_format', 'json');
    const answer = await askSpeech(
      endpoint,
      'DEMARC_STT',
      '/audio/transcriptions',
      { body: form },
      signal,
    ).catch(failedRun);
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

const failedRun = (error: unknown): never => {
  if (error instanceof SpeechFailure) throw new RunFailure(error.message, { cause: error });
  throw error;
};
