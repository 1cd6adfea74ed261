import * as z from 'zod/mini';

/** What the API said when it did not do what was asked, or that it could not be asked. */
export class ApiFailure extends Error {
  constructor(
    /** 0: no answer came. */
    readonly status: number,
    readonly code: string,
    message: string,
    readonly faults: readonly Fault[] = [],
    readonly retryAfterSeconds: number | undefined = undefined,
  ) {
    super(message);
    this.name = 'ApiFailure';
  }

  /** The fault of one field, where the API names it. */
  at(path: string): string | undefined {
    return this.faults.find((fault) => fault.path === path)?.message;
  }
}

const faultSchema = z.object({ error: z.string(), message: z.string(), path: z.optional(z.string()) });
type Fault = z.infer<typeof faultSchema>;

const failureSchema = z.object({ errors: z.array(faultSchema) });

interface Request {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

let whenSignedOut: () => void = () => undefined;

/** What is done when any answer says that the session is over. */
export function onSignedOut(act: () => void): void {
  whenSignedOut = act;
}

/** Asks the API and reads the `data` of its envelope. Throws `ApiFailure`, and `AbortError` when the signal fires. */
export async function ask<Data>(
  schema: z.ZodMiniType<Data>,
  path: string,
  request: Request = {},
): Promise<Data> {
  const answer = z.object({ data: z.unknown() }).parse(await askJson(path, request));
  return read(schema, answer.data, path);
}

async function askJson(path: string, { method = 'GET', body, signal }: Request): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((reason: unknown) => {
    if (reason instanceof DOMException && reason.name === 'AbortError') throw reason;
    throw new ApiFailure(0, 'NO_ANSWER', 'Demarc does not answer. Is this machine still connected?');
  });
  const content: unknown = await answer.json().catch(() => undefined);
  if (answer.ok && content !== undefined) return content;
  if (answer.status === 401 && path !== '/v1/session') whenSignedOut();
  throw failureOf(answer, content);
}

const databaseIsAway =
  'PostgreSQL does not answer. Edges go on with calls, whose records wait. Start PostgreSQL again, or look at its log; /readyz names every part that is away.';

function failureOf(answer: Response, content: unknown): ApiFailure {
  const faults = failureSchema.safeParse(content).data?.errors ?? [];
  const wait = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const retryAfter = Number.isFinite(wait) ? wait : undefined;
  const [first] = faults;
  if (first?.error === 'SERVICE_UNAVAILABLE') {
    return new ApiFailure(answer.status, first.error, databaseIsAway, faults, retryAfter);
  }
  return new ApiFailure(
    answer.status,
    first?.error ?? 'UNREADABLE',
    faults.length > 0
      ? faults.map(({ message, path }) => (path === undefined ? message : `${path}: ${message}`)).join('; ')
      : `The answer (HTTP ${answer.status}) is not one of Demarc's.`,
    faults,
    retryAfter,
  );
}

function read<Data>(schema: z.ZodMiniType<Data>, value: unknown, path: string): Data {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new ApiFailure(
    200,
    'UNEXPECTED_ANSWER',
    `The answer of ${path.split('?')[0]} is not what this page expects (${issue?.path.join('.')}: ${issue?.message}). Reload the page: it may be older than the server.`,
  );
}

/** `?a=1&b=2` of what is set. */
export function query(values: Readonly<Record<string, string | number | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
