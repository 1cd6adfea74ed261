import { ForbiddenEndpoint, type JsonPoster, OversizedAnswer } from '../../models/post-json.js';
import type { PathwayNodeOf } from '../../pathways/index.js';
import type { TriggeredWebhook } from '../schemas/run.js';
import type { WebhookMock } from '../schemas/scenario.js';
import { textOf } from './evidence.js';
import { filled, filledValue } from './spoken-turn.js';
import { valueAt } from './value-at.js';
import { keptArguments } from './webhook-arguments.js';

export interface WebhookAnswer {
  readonly call: Omit<TriggeredWebhook, 'turn'>;
  /** Variables that the response sets, `webhook_status` among them. */
  readonly variables: Readonly<Record<string, unknown>>;
}

const maximumAnswerOctets = 256 * 1024;
/** Of a variable: each turn's prompt and the stored run hold all of them. */
const maximumValueCharacters = 10_000;

/**
 * Calls the webhook of a node, or takes the scenario's answer in its place. Private addresses are refused as for alerts, redirects
 * are not followed; of what is sent, only arguments without secrets get into the result. Rejects with the signal's reason alone.
 */
export async function callWebhook(
  poster: JsonPoster,
  { id, webhook }: PathwayNodeOf<'webhook'>,
  variables: Readonly<Record<string, unknown>>,
  mock: WebhookMock | undefined,
  signal: AbortSignal,
): Promise<WebhookAnswer> {
  const url = filledUrl(webhook.url, variables);
  const started = performance.now();
  const answered =
    mock === undefined
      ? await exchange(poster, webhook, url, variables, signal)
      : { status: mock.status, error: null, body: mock.body };
  const values: Record<string, unknown> = { webhook_status: answered.status ?? 0 };
  for (const { name, path } of webhook.response_variables) {
    const value = valueAt(answered.body, path);
    if (value === undefined || value === null || textOf(value).length > maximumValueCharacters) continue;
    values[name] = value;
  }
  return {
    call: {
      node_id: id,
      url: withoutQuery(url),
      arguments: keptArguments(webhook, variables),
      status: answered.status,
      is_mocked: mock !== undefined,
      error: answered.error,
      duration_ms: Math.round(performance.now() - started),
    },
    variables: values,
  };
}

interface Answered {
  readonly status: number | null;
  readonly error: string | null;
  /** Undefined: none, or no JSON. */
  readonly body: unknown;
}

async function exchange(
  poster: JsonPoster,
  { method, body, timeout_ms: timeout }: PathwayNodeOf<'webhook'>['webhook'],
  url: string,
  variables: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<Answered> {
  const failed = (error: string): Answered => ({ status: null, error, body: undefined });
  if (!URL.canParse(url)) return failed('The URL is invalid after its variables were filled in');
  const { username, password, protocol } = new URL(url);
  if (username !== '' || password !== '' || !/^https?:$/.test(protocol))
    return failed('The URL must be http:// or https:// without a user or password');
  const outOfTime = AbortSignal.timeout(timeout);
  try {
    const answer = await poster.post({
      url,
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Demarc-Test/1',
        ...(method === 'GET' ? {} : { 'content-type': 'application/json' }),
      },
      body: method === 'GET' ? '' : JSON.stringify(filledValue(body ?? {}, variables)),
      maximumAnswerOctets,
      signal: AbortSignal.any([signal, outOfTime]),
    });
    return { status: answer.status, error: null, body: parsed(answer.text) };
  } catch (error) {
    signal.throwIfAborted();
    if (outOfTime.aborted) return failed(`No answer within ${timeout} ms`);
    if (error instanceof ForbiddenEndpoint)
      return failed('This service does not send webhooks to that address');
    if (error instanceof OversizedAnswer) return failed(error.message);
    const first = error instanceof AggregateError ? (error.errors[0] as Error) : (error as Error);
    return failed(`The webhook is unreachable (${(first as { code?: string }).code ?? first.name})`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Values are escaped, so that none can change the host or the path. */
const filledUrl = (url: string, variables: Readonly<Record<string, unknown>>): string =>
  filled(
    url,
    Object.fromEntries(
      Object.entries(variables).map(([name, value]) => [
        name,
        value === null || value === undefined ? value : encodeURIComponent(textOf(value)),
      ]),
    ),
  );

function withoutQuery(url: string): string {
  if (!URL.canParse(url)) return url.split('?', 1)[0]!.slice(0, 500);
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`.slice(0, 500);
}
