import { z } from 'zod';
import { flag, whole } from './environment.js';

export const endpointUrl = z
  .url({ protocol: /^https?$/, error: 'must be http://… or https://…, such as https://api.example.com/v1' })
  .refine((text) => {
    const { username, password, search, hash } = new URL(text);
    return username === '' && password === '' && search === '' && hash === '';
  }, 'must have no user, password, query or fragment: the key belongs in the variable that ends with _KEY')
  .transform((text) => text.replace(/\/+$/, ''));

export const modelKey = z
  .string()
  .max(4_096)
  .regex(/^[\x21-\x7e]+$/, 'must be printable ASCII without spaces');

const price = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be a number such as 0.15')
  .transform(Number);

export const currencyCode = z
  .string()
  .regex(/^[A-Z]{3}$/, 'must be a currency code of ISO 4217, such as USD');

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
  /** Per million tokens, for the cost of test runs; absent: the cost is not known, unless the organization sets prices. */
  DEMARC_LLM_PROMPT_PRICE: price.optional(),
  DEMARC_LLM_COMPLETION_PRICE: price.optional(),
  /**
   * Without DEMARC_LLM_URL: control answers by rules in place of a model, for first steps. With it: that endpoint does. Results that
   * it took part in are marked.
   */
  DEMARC_LLM_STAND_IN: flag.default(false),
  /** JSON file with rules; absent: those that come with it. */
  DEMARC_LLM_STAND_IN_RULES: z.string().min(1).optional(),

  /** A model that judges tests better than the one that converses. Absent: DEMARC_LLM_URL and its key. */
  DEMARC_JUDGE_URL: endpointUrl.optional(),
  DEMARC_JUDGE_KEY: modelKey.optional(),
  /** Absent: DEMARC_LLM_MODEL. */
  DEMARC_JUDGE_MODEL: z.string().min(1).max(200).optional(),
  DEMARC_JUDGE_PROMPT_PRICE: price.optional(),
  DEMARC_JUDGE_COMPLETION_PRICE: price.optional(),
  /** ISO 4217, of all prices of the operator, and of organizations that choose none. */
  DEMARC_MODEL_CURRENCY: currencyCode.default('USD'),

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

/** Per million tokens. */
export interface ModelPrices {
  readonly prompt: number;
  readonly completion: number;
  /** ISO 4217. */
  readonly currency: string;
}

export interface ChatEndpoint extends ModelEndpoint {
  readonly concurrency: number;
  /** Undefined: the operator set none. */
  readonly prices: ModelPrices | undefined;
}

export interface ModelSettings {
  /** ISO 4217, of the prices of organizations that choose none. */
  readonly currency: string;
  /** Undefined: none is configured. */
  readonly chat: ChatEndpoint | undefined;
  /** Judges tests; undefined: `chat` does. */
  readonly judge: ChatEndpoint | undefined;
  /** Whether `chat` is the stand-in that answers by rules. */
  readonly isStandIn: boolean;
  /** The stand-in that control starts; undefined: it starts none. */
  readonly standIn:
    | (Pick<ChatEndpoint, 'timeoutMilliseconds' | 'concurrency'> & { readonly rulesFile: string | undefined })
    | undefined;
  readonly embeddings:
    | (ModelEndpoint & { readonly searchTimeoutMilliseconds: number; readonly batch: number })
    | undefined;
  readonly retries: number;
  readonly retryMilliseconds: number;
}

/** What is given without what it needs; empty: nothing. */
export function modelProblems(read: Read): string[] {
  return [...judgeProblems(read), ...endpointProblems(read)];
}

function judgeProblems(read: Read): string[] {
  const {
    DEMARC_JUDGE_URL: url,
    DEMARC_JUDGE_MODEL: model,
    DEMARC_JUDGE_KEY: key,
    DEMARC_LLM_URL: chat,
  } = read;
  const problems = (['LLM', 'JUDGE'] as const)
    .filter(
      (kind) =>
        (read[`DEMARC_${kind}_PROMPT_PRICE`] === undefined) !==
        (read[`DEMARC_${kind}_COMPLETION_PRICE`] === undefined),
    )
    .map((kind) => `DEMARC_${kind}_PROMPT_PRICE and DEMARC_${kind}_COMPLETION_PRICE: set both or neither`);
  if (url !== undefined && model === undefined)
    problems.push('DEMARC_JUDGE_MODEL: needed with DEMARC_JUDGE_URL');
  if (key !== undefined && url === undefined) problems.push('DEMARC_JUDGE_KEY: needs DEMARC_JUDGE_URL');
  if ((url ?? model) !== undefined && chat === undefined)
    problems.push('DEMARC_JUDGE_URL and DEMARC_JUDGE_MODEL: need DEMARC_LLM_URL, which converses');
  return problems;
}

function endpointProblems(read: Read): string[] {
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
  const common = {
    timeoutMilliseconds: read.DEMARC_LLM_TIMEOUT_MS,
    concurrency: read.DEMARC_LLM_CONCURRENCY,
  };
  const chat =
    chatUrl === undefined || chatModel === undefined
      ? undefined
      : {
          url: chatUrl,
          key: read.DEMARC_LLM_KEY,
          model: chatModel,
          ...common,
          prices: pricesOf(read, 'LLM'),
        };
  return {
    currency: read.DEMARC_MODEL_CURRENCY,
    chat,
    judge: chat && judgeEndpoint(read, chat),
    isStandIn: chat !== undefined && read.DEMARC_LLM_STAND_IN,
    standIn:
      chat === undefined && read.DEMARC_LLM_STAND_IN
        ? { ...common, rulesFile: read.DEMARC_LLM_STAND_IN_RULES }
        : undefined,
    embeddings:
      embeddingsUrl === undefined || embeddingsModel === undefined
        ? undefined
        : {
            url: embeddingsUrl,
            key: read.DEMARC_EMBEDDINGS_KEY,
            model: embeddingsModel,
            timeoutMilliseconds: read.DEMARC_EMBEDDINGS_TIMEOUT_MS,
            searchTimeoutMilliseconds: read.DEMARC_EMBEDDINGS_SEARCH_TIMEOUT_MS,
            batch: read.DEMARC_EMBEDDINGS_BATCH,
          },
    retries: read.DEMARC_MODEL_RETRIES,
    retryMilliseconds: read.DEMARC_MODEL_RETRY_MS,
  };
}

function judgeEndpoint(read: Read, chat: ChatEndpoint): ChatEndpoint | undefined {
  const { DEMARC_JUDGE_URL: url, DEMARC_JUDGE_MODEL: model = chat.model } = read;
  if (url === undefined && model === chat.model) return undefined;
  const own = url === undefined ? {} : { url, key: read.DEMARC_JUDGE_KEY };
  return { ...chat, ...own, model, prices: pricesOf(read, 'JUDGE') };
}

function pricesOf(read: Read, kind: 'LLM' | 'JUDGE'): ModelPrices | undefined {
  const prompt = read[`DEMARC_${kind}_PROMPT_PRICE`];
  const completion = read[`DEMARC_${kind}_COMPLETION_PRICE`];
  const currency = read.DEMARC_MODEL_CURRENCY;
  return prompt === undefined || completion === undefined ? undefined : { prompt, completion, currency };
}
