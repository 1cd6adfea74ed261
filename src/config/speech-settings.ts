import { z } from 'zod';
import { whole } from './environment.js';
import { endpointUrl, modelKey } from './model-settings.js';

/** Variables of agent tests by voice; each default with its reason. */
export const speechVariables = {
  /** Of an OpenAI-compatible interface, to which `/audio/speech` is added; without it espeak-ng speaks for the caller. */
  DEMARC_TTS_URL: endpointUrl.optional(),
  DEMARC_TTS_KEY: modelKey.optional(),
  DEMARC_TTS_MODEL: z.string().min(1).max(200).default('tts-1'),
  DEMARC_TTS_VOICE: z.string().min(1).max(100).default('alloy'),
  /** Voices by language, where a scenario names none: an accent is another voice. */
  DEMARC_TTS_VOICES: z
    .string()
    .regex(
      /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*=[^=,\s]{1,100}(,[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*=[^=,\s]{1,100})*$/,
      'must be language=voice pairs with commas, such as de-DE=nova,fr=shimmer',
    )
    .optional(),
  /** As DEMARC_TTS_URL, to which `/audio/transcriptions` is added; without it only the tone code is understood. */
  DEMARC_STT_URL: endpointUrl.optional(),
  DEMARC_STT_KEY: modelKey.optional(),
  DEMARC_STT_MODEL: z.string().min(1).max(200).default('whisper-1'),
  /** A sentence takes a second; ten seconds mean that the service is not well. */
  DEMARC_SPEECH_TIMEOUT_MS: whole(100, 120_000).default(20_000),
  /** `tones`: the caller speaks the tone code that the demo agent understands; for tests and demos. */
  DEMARC_TEST_CALL_SPEECH: z.enum(['voice', 'tones']).default('voice'),
  /** Calls that one control process places at a time: each is a real call through an edge. */
  DEMARC_TEST_CALLS: whole(1, 200).default(10),
  DEMARC_TEST_CALLS_PER_ORGANIZATION: whole(1, 200).default(3),
  /** `tls:host:port` or `tcp:host:port` where edges take test calls; default: the listener that an edge reports. */
  DEMARC_TEST_CALL_EDGE: z
    .string()
    .regex(
      /^(tls|tcp):(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]{1,253}):\d{1,5}$/,
      'must be tls:host:port or tcp:host:port',
    )
    .optional(),
} as const;

type Read = z.output<z.ZodObject<typeof speechVariables>>;

export interface SpeechEndpoint {
  /** Without a slash at the end. */
  readonly url: string;
  readonly key: string | undefined;
  readonly model: string;
  /** Of synthesis. */
  readonly voice: string | undefined;
  /** Of synthesis, by language tag in lower case. */
  readonly voices: ReadonlyMap<string, string>;
  readonly timeoutMilliseconds: number;
}

export interface TestCallSettings {
  /** Undefined: espeak-ng speaks. */
  readonly synthesis: SpeechEndpoint | undefined;
  /** Undefined: the tone code alone is understood. */
  readonly recognition: SpeechEndpoint | undefined;
  readonly usesTones: boolean;
  readonly concurrency: number;
  readonly concurrencyOfOrganization: number;
  /** Undefined: as edges report. */
  readonly edge:
    | { readonly protocol: 'tls' | 'tcp'; readonly host: string; readonly port: number }
    | undefined;
}

const voicesOf = (pairs: string | undefined): ReadonlyMap<string, string> =>
  new Map(
    (pairs?.split(',') ?? []).map((pair): [string, string] => {
      const [language, voice] = pair.split('=');
      return [language!.toLowerCase(), voice!];
    }),
  );

export function testCallSettings(read: Read): TestCallSettings {
  const timeoutMilliseconds = read.DEMARC_SPEECH_TIMEOUT_MS;
  const [, protocol, host, port] =
    /^(tls|tcp):\[?(.+?)\]?:(\d+)$/.exec(read.DEMARC_TEST_CALL_EDGE ?? '') ?? [];
  return {
    synthesis:
      read.DEMARC_TTS_URL === undefined
        ? undefined
        : {
            url: read.DEMARC_TTS_URL,
            key: read.DEMARC_TTS_KEY,
            model: read.DEMARC_TTS_MODEL,
            voice: read.DEMARC_TTS_VOICE,
            voices: voicesOf(read.DEMARC_TTS_VOICES),
            timeoutMilliseconds,
          },
    recognition:
      read.DEMARC_STT_URL === undefined
        ? undefined
        : {
            url: read.DEMARC_STT_URL,
            key: read.DEMARC_STT_KEY,
            model: read.DEMARC_STT_MODEL,
            voice: undefined,
            voices: new Map(),
            timeoutMilliseconds,
          },
    usesTones: read.DEMARC_TEST_CALL_SPEECH === 'tones',
    concurrency: read.DEMARC_TEST_CALLS,
    concurrencyOfOrganization: read.DEMARC_TEST_CALLS_PER_ORGANIZATION,
    edge: host === undefined ? undefined : { protocol: protocol as 'tls' | 'tcp', host, port: Number(port) },
  };
}
