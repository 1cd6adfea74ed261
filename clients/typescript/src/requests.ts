import type { ErrorCode } from './generated.js';

/** One thing that was wrong with a request. */
export interface Fault {
  readonly error: ErrorCode;
  readonly message: string;
  /** The field, as `directions.0.options.port`. */
  readonly path?: string | undefined;
}

/** A request that did not succeed. `code`: the API's own, or `NO_ANSWER` (none came) or `UNREADABLE` (it is not the API's). */
export class DemarcError extends Error {
  constructor(
    /** HTTP status; 0: no answer came. */
    readonly status: number,
    readonly code: ErrorCode | 'NO_ANSWER' | 'UNREADABLE',
    message: string,
    readonly faults: readonly Fault[] = [],
    readonly retryAfterSeconds: number | undefined = undefined,
    /** Names the request in the service's log. */
    readonly requestId: string | undefined = undefined,
  ) {
    super(message);
    this.name = 'DemarcError';
  }

  /** What is wrong with that field, where the API says it. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

export interface DemarcOptions {
  /** Where the API is, without `/v1`. Default: where the page came from, in a browser. */
  readonly baseUrl?: string;
  /** Absent: the cookie of a session, in a browser. */
  readonly apiKey?: string;
  /** Tries after the first one, of what may be repeated without harm. Default 2. */
  readonly retries?: number;
  /** In the place of the global one. */
  readonly fetch?: typeof fetch;
}

/** Of one call of a method. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Of a POST: the same key is carried out once, however often it is sent. Default: a new one for each call of a method. */
  readonly idempotencyKey?: string | undefined;
  /** `ETag` of what is changed: 412 if it has changed since. */
  readonly ifMatch?: string | undefined;
  /** Gets the headers of the answer, such as `ETag`. */
  readonly readHeaders?: ((headers: Headers) => void) | undefined;
}

interface Request extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Statuses that a later try may not meet. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);
const longestPauseMilliseconds = 30_000;

/** What the methods of the generated client stand on. */
export class Requests {
  private readonly baseUrl: string;
  private readonly retries: number;
  private readonly fetch: typeof fetch;

  constructor(private readonly settings: DemarcOptions = {}) {
    this.baseUrl = (settings.baseUrl ?? '').replace(/\/+$/, '');
    this.retries = settings.retries ?? 2;
    this.fetch = settings.fetch ?? ((...given) => fetch(...given));
  }

  /** The answer's JSON. Rejects with `DemarcError`, and with `AbortError` when the signal fires. */
  protected async json<Answer>(method: string, path: string, request: Request): Promise<Answer> {
    const answer = await this.raw(method, path, request);
    const content: unknown = await answer.json().catch(() => undefined);
    if (content === undefined) throw failureOf(answer, undefined);
    return content as Answer;
  }

  /** The answer as it comes, for what is no JSON. Rejects as `json` does. */
  protected async raw(method: string, path: string, request: Request): Promise<Response> {
    const repeatable = method === 'GET' || this.retries > 0;
    const key =
      method === 'POST' && repeatable ? (request.idempotencyKey ?? newKey()) : request.idempotencyKey;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.once(method, path, request, key);
      } catch (failure) {
        const mayPass = failure instanceof DemarcError && passing.has(failure.status);
        const isSafe = method === 'GET' || key !== undefined;
        if (!mayPass || !isSafe || attempt >= this.retries) throw failure;
        const pause = (failure.retryAfterSeconds ?? 0.5 * 2 ** attempt) * 1_000;
        await sleep(Math.min(pause, longestPauseMilliseconds), request.signal);
      }
    }
  }

  private async once(
    method: string,
    path: string,
    { path: values = {}, query = {}, body, signal, ifMatch, readHeaders }: Request,
    key: string | undefined,
  ): Promise<Response> {
    const { apiKey } = this.settings;
    const url = this.baseUrl + filled(path, values) + queryText(query);
    const form = formOf(body);
    const answer = await this.fetch(url, {
      method,
      headers: {
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
        ...(body === undefined || form !== undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
      },
      ...(body === undefined ? {} : { body: form ?? JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    }).catch((reason: unknown) => {
      if (signal?.aborted === true) throw reason;
      throw new DemarcError(
        0,
        'NO_ANSWER',
        `No answer from ${this.baseUrl || 'the service'}: ${String(reason)}`,
      );
    });
    if (answer.ok) {
      readHeaders?.(answer.headers);
      return answer;
    }
    throw failureOf(answer, await answer.json().catch(() => undefined));
  }
}

/** A body that holds a file goes as a form. */
function formOf(body: unknown): FormData | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  if (!Object.values(body).some((value) => value instanceof Blob)) return undefined;
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    form.append(name, value instanceof Blob ? value : String(value));
  }
  return form;
}

function failureOf(answer: Response, content: unknown): DemarcError {
  const { errors } = (content ?? {}) as { errors?: unknown };
  const faults = Array.isArray(errors) ? (errors as Fault[]) : [];
  const wait = Number.parseFloat(answer.headers.get('retry-after') ?? '');
  const [first] = faults;
  const texts = faults.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`));
  return new DemarcError(
    answer.status,
    first?.error ?? 'UNREADABLE',
    first === undefined ? `The answer (HTTP ${answer.status}) is not one of Demarc's.` : texts.join('; '),
    faults,
    Number.isFinite(wait) ? wait : undefined,
    answer.headers.get('x-request-id') ?? undefined,
  );
}

/** The path with its parameters in place. */
export const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** `?a=1&metadata[b]=2` of what is set. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    if (Array.isArray(value)) {
      for (const one of value) parameters.append(name, String(one));
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) parameters.set(`${name}[${key}]`, String(inner));
    } else parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

/** Pages over plain HTTP have no `crypto.randomUUID`. */
function newKey(): string {
  const octets = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(octets, (octet) => octet.toString(16).padStart(2, '0')).join('');
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
