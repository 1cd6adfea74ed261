import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { backoff } from '../../base/backoff.js';
import type { Logger } from '../../base/log.js';
import type { ModelEndpoint } from '../../config/model-settings.js';
import type { ChatUsage } from './chat-usage.js';
import { ModelFailure, ModelNonsense, ModelRefusal, ModelUnavailable } from './model-failure.js';
import { ForbiddenEndpoint, type JsonAnswer, type JsonPoster, OversizedAnswer } from './post-json.js';

export interface EndpointDeps {
  /** For people: `language model`. */
  readonly what: string;
  /** `DEMARC_LLM`: the beginning of the names of its settings. */
  readonly setting: string;
  readonly endpoint: ModelEndpoint;
  readonly poster: JsonPoster;
  readonly retries: number;
  readonly retryMilliseconds: number;
  readonly log: Logger;
}

export interface Asking {
  /** Below the endpoint's URL: `/embeddings`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly maximumAnswerOctets: number;
  /** Ends all attempts. */
  readonly signal: AbortSignal;
  /** Of each attempt; default: the endpoint's. */
  readonly timeoutMilliseconds?: number | undefined;
  /** After a passing failure; default: the setting's. */
  readonly retries?: number | undefined;
}

const longestRetryMilliseconds = 30_000;
const quotedCharacters = 300;

/** Requests to one endpoint of an OpenAI-compatible interface, with retries. Its key appears in no message. */
export class EndpointClient {
  constructor(private readonly deps: EndpointDeps) {}

  get model(): string {
    return this.deps.endpoint.model;
  }

  /** Rejects with a `ModelFailure`; with the signal's reason when it fires. */
  async ask<Schema extends z.ZodType>(asking: Asking, schema: Schema): Promise<z.output<Schema>> {
    const { retries = this.deps.retries, signal } = asking;
    for (let failures = 1; ; failures++) {
      try {
        return this.read(await this.attempt(asking), schema);
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ModelFailure)) throw error;
        const { what } = this.deps;
        if (error instanceof ModelRefusal || failures > retries) {
          this.deps.log.warn({ what, error: error.message, remedy: error.remedy }, 'A model gave no answer.');
          throw error;
        }
        this.deps.log.debug({ what, error: error.message, failures }, 'A model request is repeated.');
        await sleep(this.pause(error, failures), undefined, { signal });
      }
    }
  }

  private pause(error: ModelFailure, failures: number): number {
    const asked = error instanceof ModelUnavailable ? error.retryAfterMilliseconds : undefined;
    const first = this.deps.retryMilliseconds;
    const own = backoff({ first, longest: longestRetryMilliseconds, jitter: 0.25 }, failures);
    return Math.min(longestRetryMilliseconds, Math.max(own, asked ?? 0));
  }

  private async attempt({ path, body, maximumAnswerOctets, signal, ...own }: Asking): Promise<JsonAnswer> {
    const { endpoint, poster, what, setting } = this.deps;
    const timeout = own.timeoutMilliseconds ?? endpoint.timeoutMilliseconds;
    const outOfTime = AbortSignal.timeout(timeout);
    let answer: JsonAnswer;
    try {
      answer = await poster.post({
        url: endpoint.url + path,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': 'Demarc/1',
          ...(endpoint.key === undefined ? {} : { authorization: `Bearer ${endpoint.key}` }),
        },
        body: JSON.stringify(body),
        maximumAnswerOctets,
        signal: AbortSignal.any([signal, outOfTime]),
      });
    } catch (error) {
      signal.throwIfAborted();
      if (outOfTime.aborted) {
        throw new ModelUnavailable(`The ${what} did not answer within ${timeout} ms.`, {
          remedy: `Check the endpoint of ${setting}_URL, or raise the timeout.`,
          cause: error,
        });
      }
      if (error instanceof OversizedAnswer) throw this.nonsense(error.message, { cause: error });
      if (error instanceof ForbiddenEndpoint) {
        throw new ModelRefusal(`The ${what} is at an address that this service does not send to.`, {
          remedy: `Correct ${setting}_URL: it leads to this service or to no host.`,
          status: 0,
          cause: error,
        });
      }
      const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
      throw new ModelUnavailable(
        `The ${what} is unreachable (${(first as { code?: string }).code ?? first.name}).`,
        {
          remedy: `Check that the endpoint of ${setting}_URL runs and that this machine reaches it.`,
          cause: error,
        },
      );
    }
    if (answer.status < 200 || answer.status > 299) throw this.failureOf(answer);
    return answer;
  }

  private failureOf({ status, headers, text }: JsonAnswer): ModelFailure {
    const { what, setting } = this.deps;
    const said = this.quoted(text);
    if (status === 401 || status === 403) {
      const message = `The ${what} refused the key of this service (${status}).`;
      return new ModelRefusal(message, {
        remedy: `Correct ${setting}_KEY. The endpoint said: ${said}`,
        status,
      });
    }
    if (status === 408 || status === 425 || status === 429 || status >= 500) {
      return new ModelUnavailable(
        status === 429
          ? `The ${what} accepts no more requests for now (429).`
          : `The ${what} failed (${status}).`,
        {
          remedy: `Check the state and the quota of the endpoint of ${setting}_URL. The endpoint said: ${said}`,
          retryAfterMilliseconds: retryAfter(headers['retry-after']),
        },
      );
    }
    const remedy =
      status === 404
        ? `Check ${setting}_URL and ${setting}_MODEL. The endpoint said: ${said}`
        : `Check ${setting}_MODEL. The endpoint said: ${said}`;
    return new ModelRefusal(`The ${what} refused the request (${status}).`, { remedy, status });
  }

  private read<Schema extends z.ZodType>({ text }: JsonAnswer, schema: Schema): z.output<Schema> {
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (error) {
      throw this.nonsense('it is not JSON', { cause: error });
    }
    const read = schema.safeParse(content);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw this.nonsense(`${issue?.path.join('.') || 'body'}: ${issue?.message}`);
  }

  /**
   * @param problem for people: what is wrong with the answer
   * @param facts what the answer cost all the same, and the error that shows the problem
   */
  nonsense(
    problem: string,
    facts: { readonly usage?: ChatUsage | undefined; readonly cause?: unknown } = {},
  ): ModelNonsense {
    const { what, setting } = this.deps;
    return new ModelNonsense(`The ${what} gave an unusable answer: ${problem}.`, {
      remedy: `Check that ${setting}_URL is an OpenAI-compatible interface and that ${setting}_MODEL is a model for it.`,
      ...facts,
    });
  }

  /** What an endpoint says, short and without our key, which some repeat. */
  private quoted(text: string): string {
    const { key } = this.deps.endpoint;
    const plain = key === undefined ? text : text.replaceAll(key, '[key]');
    return plain.replace(/[\s\p{Cc}]+/gu, ' ').slice(0, quotedCharacters);
  }
}

/** RFC 9110 §10.2.3: seconds or a date. */
export function retryAfter(header: string | undefined, now = Date.now()): number | undefined {
  if (header === undefined) return undefined;
  const seconds = /^\d+(\.\d+)?$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}
