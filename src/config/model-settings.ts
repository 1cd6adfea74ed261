import { z } from 'zod';
import { whole } from './environment.js';

const endpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be http://… or https://…, such as https://api.example.com/v1' })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return username === '' && password === '' && search === '' && hash === '';
  }, 'must have no user, password, query or fragment: the key belongs in the variable that ends with _KEY')
  .transform((text) => text.replace(/\/+$/, ''));

const modelKey = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

/** Variables of the language model and the embedding model; each default with its reason. */
export const modelVariables = {
  /** Of an OpenAI-compatible interface, to which `/chat/completions` is added. */
  DEMARC_LLM_URL: endpointUrl.optional(),
  DEMARC_LLM_KEY: modelKey.optional(),
  DEMARC_LLM_MODEL: z.string().min(1).max(200).optional(),
  /** Long answers of large models take half a minute. */
  DEMARC_LLM_TIMEOUT_MS: whole(100, 600_000).default(60_000),
  /** Small providers refuse more at once; further requests wait, the organizations taking turns. */
  DEMARC_LLM_CONCURRENCY: whole(1, 1_000).default(16),

  /** As DEMARC_LLM_URL, to which `/embeddings` is added. */
  DEMARC_EMBEDDINGS_URL: endpointUrl.optional(),
  DEMARC_EMBEDDINGS_KEY: modelKey.optional(),
  DEMARC_EMBEDDINGS_MODEL: z.string().min(1).max(200).optional(),
  /** Of one request while a text is learned. */
  DEMARC_EMBEDDINGS_TIMEOUT_MS: whole(100, 600_000).default(30_000),
  /** A voice agent waits for the search: beyond this, it gets what full text alone finds. */
  DEMARC_EMBEDDINGS_SEARCH_TIMEOUT_MS: whole(10, 60_000).default(1_500),
  /** Passages in one request; endpoints bound it at 96 to 2,048. */
  DEMARC_EMBEDDINGS_BATCH: whole(1, 2_048).default(64),

  /** Of a request that met a passing failure, with growing pauses. */
  DEMARC_MODEL_RETRIES: whole(0, 10).default(3),
  /** First pause, doubled each time up to 30 seconds; a Retry-After of the endpoint takes precedence. */
  DEMARC_MODEL_RETRY_MS: whole(1, 60_000).default(500),
} as const;

type Read = z.output<z.ZodObject<typeof modelVariables>>;

export interface ModelEndpoint {
  /** Without a slash at the end. */
  readonly url: string;
  /** Undefined: the endpoint needs none. */
  readonly key: string | undefined;
  readonly model: string;
  readonly timeoutMilliseconds: number;
}

export interface ModelSettings {
  /** Undefined: none is configured. */
  readonly chat: (ModelEndpoint & { readonly concurrency: number }) | undefined;
  readonly embeddings:
    | (ModelEndpoint & { readonly searchTimeoutMilliseconds: number; readonly batch: number })
    | undefined;
  readonly retries: number;
  readonly retryMilliseconds: number;
}

/** What is given without what it needs; empty: nothing. */
export function modelProblems(read: Read): string[] {
  return (['LLM', 'EMBEDDINGS'] as const).flatMap((kind) => {
    const url = read[`DEMARC_${kind}_URL`];
    const model = read[`DEMARC_${kind}_MODEL`];
    const key = read[`DEMARC_${kind}_KEY`];
    if ((url === undefined) !== (model === undefined))
      return [`DEMARC_${kind}_URL and DEMARC_${kind}_MODEL: set both or neither`];
    if (url === undefined && key !== undefined) return [`DEMARC_${kind}_KEY: needs DEMARC_${kind}_URL`];
    return [];
  });
}

/** After `modelProblems` has found none. */
export function modelSettings(read: Read): ModelSettings {
  const { DEMARC_LLM_URL: chatUrl, DEMARC_LLM_MODEL: chatModel } = read;
  const { DEMARC_EMBEDDINGS_URL: embeddingsUrl, DEMARC_EMBEDDINGS_MODEL: embeddingsModel } = read;
  return {
    chat:
      chatUrl === undefined || chatModel === undefined
        ? undefined
        : {
            ...{ url: chatUrl, key: read.DEMARC_LLM_KEY, model: chatModel },
            timeoutMilliseconds: read.DEMARC_LLM_TIMEOUT_MS,
            concurrency: read.DEMARC_LLM_CONCURRENCY,
          },
    embeddings:
      embeddingsUrl === undefined || embeddingsModel === undefined
        ? undefined
        : {
            ...{ url: embeddingsUrl, key: read.DEMARC_EMBEDDINGS_KEY, model: embeddingsModel },
            timeoutMilliseconds: read.DEMARC_EMBEDDINGS_TIMEOUT_MS,
            searchTimeoutMilliseconds: read.DEMARC_EMBEDDINGS_SEARCH_TIMEOUT_MS,
            batch: read.DEMARC_EMBEDDINGS_BATCH,
          },
    retries: read.DEMARC_MODEL_RETRIES,
    retryMilliseconds: read.DEMARC_MODEL_RETRY_MS,
  };
}
