import { DemarcError, type Fault, failure } from './errors.js';
import { version } from './version.js';

export interface DemarcOptions {
  /** URL of the API, without `/v1`. Default: the variable DEMARC_URL; in a browser, the origin of the page. */
  readonly baseUrl?: string;
  /** API key. Default: the variable DEMARC_API_KEY; in a browser, the session cookie. */
  readonly apiKey?: string;
  /** Retries of a request that is safe to repeat. Default 2. */
  readonly retries?: number;
  /** Limit in seconds for one attempt until its response is complete; for streams, until it begins. Default 60; 0: no limit. */
  readonly timeoutSeconds?: number;
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/** Options of one method call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's setting. */
  readonly timeoutSeconds?: number | undefined;
  /** For a POST: requests with the same key take effect once. Default: a new key for each method call. */
  readonly idempotencyKey?: string | undefined;
  /** `ETag` of the object to change: the request fails with 412 if it has changed since. */
  readonly ifMatch?: string | undefined;
  /** Receives the headers of the response, such as `ETag`. */
  readonly readHeaders?: ((headers: Headers) => void) | undefined;
}

interface Request extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Temporary failures, worth a retry. */
const passing: ReadonlySet<number> = new Set([0, 429, 502, 503, 504]);
const longestPauseMilliseconds = 30_000;
const defaultTimeoutSeconds = 60;

/** Base of the generated client. */
export class Requests {
  private readonly baseUrl: string;
  private readonly apiKey: string | undefined;
  private readonly retries: number;
  private readonly fetch: typeof fetch;

  constructor(private readonly settings: DemarcOptions = {}) {
    const url = settings.baseUrl ?? variable('DEMARC_URL');
    if (url === undefined && settings.fetch === undefined && !('location' in globalThis))
      throw new TypeError('baseUrl is required: pass it, or set DEMARC_URL.');
    this.baseUrl = (url ?? '').replace(/\/+$/, '');
    this.apiKey = settings.apiKey ?? variable('DEMARC_API_KEY');
    this.retries = settings.retries ?? 2;
    this.fetch = settings.fetch ?? ((...given) => fetch(...given));
  }

  /** Resolves with the JSON of the response. Rejects with `DemarcError`, and with `AbortError` when the signal fires. */
  protected json<Answer>(method: string, path: string, request: Request): Promise<Answer> {
    return this.repeated(method, request, async (key) => {
      const attempt = this.attempt(request);
      try {
        const answer = await this.send(method, path, request, key, attempt.signal);
        const content: unknown = await answer.json().catch((reason: unknown) => {
          if (attempt.signal.aborted) throw reason;
        });
        if (content === undefined) throw failureOf(answer, undefined);
        return content as Answer;
      } catch (reason) {
        throw this.failureFrom(reason, request, attempt.isLate());
      } finally {
        attempt.end(false);
      }
    });
  }

  /** Resolves with the raw response, for operations that do not return JSON. Rejects as `json` does. */
  protected raw(method: string, path: string, request: Request): Promise<Response> {
    return this.repeated(method, request, async (key) => {
      const attempt = this.attempt(request);
      try {
        return await this.send(method, path, request, key, attempt.signal);
      } catch (reason) {
        throw this.failureFrom(reason, request, attempt.isLate());
      } finally {
        attempt.end(true);
      }
    });
  }

  private async repeated<Result>(
    method: string,
    request: Request,
    attempt: (key: string | undefined) => Promise<Result>,
  ): Promise<Result> {
    const key =
      method === 'POST' && this.retries > 0 ? (request.idempotencyKey ?? newKey()) : request.idempotencyKey;
    for (let failures = 0; ; failures++) {
      try {
        return await attempt(key);
      } catch (error) {
        const isSafe = method === 'GET' || key !== undefined;
        if (!isPassing(error) || !isSafe || failures >= this.retries) throw error;
        await sleep(pauseAfter(error, failures), request.signal);
      }
    }
  }

  /** One attempt with its time limit. */
  private attempt({ signal, timeoutSeconds }: Request) {
    const controller = new AbortController();
    const seconds = timeoutSeconds ?? this.settings.timeoutSeconds ?? defaultTimeoutSeconds;
    let isLate = false;
    const abort = (): void => controller.abort(signal?.reason);
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const timer =
      seconds > 0
        ? setTimeout(() => {
            isLate = true;
            controller.abort();
          }, seconds * 1_000)
        : undefined;
    return {
      signal: controller.signal,
      isLate: () => isLate,
      /** A stream that has begun still ends with the caller's signal. */
      end: (isStream: boolean) => {
        clearTimeout(timer);
        if (!isStream) signal?.removeEventListener('abort', abort);
      },
    };
  }

  private async send(
    method: string,
    path: string,
    { path: values = {}, query = {}, body, ifMatch, readHeaders, headers }: Request,
    key: string | undefined,
    signal: AbortSignal,
  ): Promise<Response> {
    const form = formOf(body);
    const answer = await this.fetch(this.baseUrl + filled(path, values) + queryText(query), {
      method,
      headers: {
        ...userAgent,
        ...(this.apiKey === undefined ? {} : { authorization: `Bearer ${this.apiKey}` }),
        ...(body === undefined || form !== undefined ? {} : { 'content-type': 'application/json' }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: form ?? JSON.stringify(body) }),
      signal,
    });
    if (!answer.ok) throw failureOf(answer, await answer.json().catch(() => undefined));
    readHeaders?.(answer.headers);
    return answer;
  }

  private failureFrom(reason: unknown, { signal }: Request, isLate: boolean): unknown {
    if (reason instanceof DemarcError || signal?.aborted === true) return reason;
    const where = this.baseUrl || 'the service';
    return isLate
      ? failure(`${where} did not answer in time.`, { status: 0, code: 'TIMEOUT', cause: reason })
      : failure(`No answer from ${where}: ${String(reason)}`, {
          status: 0,
          code: 'NO_ANSWER',
          cause: reason,
        });
  }
}

/** Whether a retry may succeed: the service was busy or down, or still processes the first attempt with the same key. */
const isPassing = (error: unknown): error is DemarcError =>
  error instanceof DemarcError && (passing.has(error.status) || error.code === 'IDEMPOTENCY_KEY_IN_USE');

/** Doubles after each failure, with jitter of up to a quarter, so that clients do not retry at the same moment. */
function pauseAfter({ retryAfterSeconds }: DemarcError, failures: number): number {
  const milliseconds = (retryAfterSeconds ?? 0.5 * 2 ** failures) * 1_000;
  return Math.min(milliseconds * (1 + Math.random() / 4), longestPauseMilliseconds);
}

interface NodeProcess {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly versions?: { readonly node?: string };
}

const nodeProcess = (globalThis as { process?: NodeProcess }).process;

const variable = (name: string): string | undefined => nodeProcess?.env?.[name] || undefined;

/** Browsers send their own `User-Agent`. */
const userAgent: Readonly<Record<string, string>> =
  nodeProcess?.versions?.node === undefined
    ? {}
    : { 'user-agent': `demarc-client/${version} node/${nodeProcess.versions.node}` };

/** Sends a body that contains a file as a form. */
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
  return failure(
    first === undefined ? `The answer (HTTP ${answer.status}) is not one of Demarc's.` : texts.join('; '),
    {
      status: answer.status,
      code: first?.error ?? 'UNREADABLE',
      faults,
      retryAfterSeconds: Number.isFinite(wait) ? wait : undefined,
      requestId: answer.headers.get('x-request-id') ?? undefined,
    },
  );
}

/** The path with its parameters in place. */
export const filled = (path: string, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));

/** Query string of the parameters that are set, as in `?a=1&metadata[b]=2`. */
export function queryText(query: Readonly<Record<string, unknown>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === '') continue;
    if (Array.isArray(value)) {
      for (const item of value) parameters.append(name, String(item));
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
