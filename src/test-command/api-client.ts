import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { failureSchema } from './test-records.js';

/** A request that cannot succeed: the message is for the terminal. */
export class RequestFailure extends Error {}

/** One request takes at most so long. */
const timeoutMilliseconds = 30_000;
/** Requests that may succeed later are repeated for so long: control restarts in seconds. */
const patienceMilliseconds = 60_000;
const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 5_000;

/** Requests to the API with a key. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly key: string,
  ) {}

  /**
   * The answer, checked against the schema. Repeats after 429, 502, 503, 504 and network failures; a body carries an idempotency key, so that
   * nothing starts twice. Rejects with `RequestFailure`; with the signal's reason when it fires.
   * @param path below `/v1`
   */
  async ask<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    { body, signal }: { readonly body?: object; readonly signal: AbortSignal },
  ): Promise<z.output<Schema>> {
    const idempotencyKey = crypto.randomUUID();
    const patience = Date.now() + patienceMilliseconds;
    for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
      const { answer, problem, retryMilliseconds } = await this.attempt(path, body, idempotencyKey, signal);
      if (problem === undefined) {
        const read = schema.safeParse(answer);
        if (read.success) return read.data;
        throw new RequestFailure(`${this.url} answered ${path} with something that is not Demarc's API.`);
      }
      if (retryMilliseconds === undefined || Date.now() > patience) throw new RequestFailure(problem);
      await sleep(retryMilliseconds ?? pause, undefined, { signal });
    }
  }

  /** `retryMilliseconds`: undefined, do not repeat; null, after the usual pause. */
  private async attempt(
    path: string,
    body: object | undefined,
    idempotencyKey: string,
    signal: AbortSignal,
  ): Promise<{ answer?: unknown; problem?: string; retryMilliseconds?: number | null }> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${this.url}/v1${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'idempotency-key': idempotencyKey }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMilliseconds)]),
      });
      text = await response.text();
    } catch (error) {
      signal.throwIfAborted();
      const cause = (error as Error).cause as Error | undefined;
      return {
        problem: `${this.url} is unreachable: ${cause?.message ?? (error as Error).message}`,
        retryMilliseconds: null,
      };
    }
    if (response.ok) return { answer: jsonOf(text) };
    const [first] = failureSchema.safeParse(jsonOf(text)).data?.errors ?? [];
    const problem =
      first === undefined ? `${this.url} answered ${response.status}` : `${first.message} (${first.error})`;
    if (![429, 502, 503, 504].includes(response.status)) return { problem };
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    return { problem, retryMilliseconds: Number.isFinite(seconds) ? seconds * 1_000 : null };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
