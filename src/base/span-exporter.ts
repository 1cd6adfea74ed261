import { backoff } from './backoff.js';
import type { Logger } from './log.js';
import { RecurringTask } from './recurring-task.js';

/** A span that has ended. */
export interface Span {
  /** The process that the span is of, as `demarc-edge`. */
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** Unix milliseconds, also with a fraction. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly events?: readonly { readonly at: number; readonly name: string }[];
  /** Why it failed; absent: it did not. */
  readonly error?: string;
}

export interface SpanExporterOptions {
  /** Of the receiver, without `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  readonly log: Logger;
  /** Called with how many spans the receiver took, or were given up. */
  readonly counted?: (result: 'sent' | 'dropped', spans: number) => void;
}

/** Some 4 MB; spans that come while so many wait are dropped. */
const mostWaiting = 8_192;
const batchSize = 512;
const gatherMilliseconds = 1_000;
const timeoutMilliseconds = 10_000;
const retry = { first: 1_000, longest: 30_000, jitter: 0.25 } as const;
/** Of OTLP/HTTP: the request may be sent again. */
const retryable = new Set([429, 502, 503, 504]);
const kinds = { internal: 1, server: 2, client: 3 } as const;
const statusError = 2;

/**
 * Sends spans by OTLP/HTTP with JSON (opentelemetry.io/docs/specs/otlp): in batches, one request at a time, from a bounded queue. Adding a span never waits
 * and never throws. Written out instead of OpenTelemetry's SDK, which times spans while they run: these are made of a call's record, after the call.
 */
export class SpanExporter {
  private waiting: Span[] = [];
  private failures = 0;
  private droppedCount = 0;
  private lastProblem: string | undefined;
  private readonly task = new RecurringTask(() => this.send(), { everyMilliseconds: gatherMilliseconds });

  constructor(private readonly options: SpanExporterOptions) {}

  start(): void {
    this.task.start();
  }

  /** One attempt to send what waits. */
  async stop(): Promise<void> {
    await this.task.stop();
    if (this.waiting.length > 0 && this.failures === 0) await this.sendBatch();
  }

  /** Why the receiver does not take spans; undefined: it does. */
  get problem(): string | undefined {
    return this.lastProblem;
  }

  /** Spans that were given up. */
  get dropped(): number {
    return this.droppedCount;
  }

  add(spans: readonly Span[]): void {
    const room = mostWaiting - this.waiting.length;
    this.waiting.push(...spans.slice(0, room));
    this.drop(spans.length - Math.min(room, spans.length));
  }

  private async send(): Promise<number | undefined> {
    while (this.waiting.length > 0 && !this.task.isStopped) {
      if (!(await this.sendBatch())) return backoff(retry, this.failures, Math.random());
    }
    return undefined;
  }

  /** False: the receiver may take it later. */
  private async sendBatch(): Promise<boolean> {
    const { url, headers, log } = this.options;
    const batch = this.waiting.slice(0, batchSize);
    const problem = await post(`${url}/v1/traces`, headers, JSON.stringify(this.requestOf(batch)));
    this.lastProblem = problem?.text;
    if (problem?.mayRetry === true) {
      if (this.failures++ === 0)
        log.warn({ error: problem.text }, 'The receiver of spans is down; they wait.');
      return false;
    }
    if (this.failures > 0) log.info('The receiver of spans is up again.');
    this.failures = 0;
    this.waiting = this.waiting.slice(batch.length);
    if (problem === undefined) this.options.counted?.('sent', batch.length);
    else {
      log.warn({ error: problem.text }, 'The receiver refused spans.');
      this.drop(batch.length);
    }
    return true;
  }

  private drop(count: number): void {
    if (count === 0) return;
    this.droppedCount += count;
    this.options.counted?.('dropped', count);
  }

  private requestOf(spans: readonly Span[]): unknown {
    const services = [...new Set(spans.map(({ service }) => service))];
    return {
      resourceSpans: services.map((service) => ({
        resource: {
          attributes: attributesOf({ 'service.name': service, 'service.version': this.options.version }),
        },
        scopeSpans: [
          { scope: { name: 'demarc' }, spans: spans.filter((span) => span.service === service).map(encode) },
        ],
      })),
    };
  }
}

interface Problem {
  readonly mayRetry: boolean;
  readonly text: string;
}

async function post(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<Problem | undefined> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    return { mayRetry: retryable.has(answer.status), text: `HTTP ${answer.status}` };
  } catch (error) {
    const { cause } = error as Error;
    const { code } = (cause ?? {}) as { code?: string };
    return { mayRetry: true, text: code ?? (error as Error).name };
  }
}

/** As OTLP's JSON has them: 64-bit integers are text, ids hexadecimal. */
function encode({ traceId, spanId, parentSpanId, name, kind, start, end, attributes, events, error }: Span) {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(Math.max(start, end)),
    attributes: attributesOf(attributes),
    events: events?.map((event) => ({ timeUnixNano: nanoseconds(event.at), name: event.name })),
    status: error === undefined ? undefined : { code: statusError, message: error },
  };
}

const nanoseconds = (milliseconds: number): string => `${Math.round(milliseconds * 1_000)}000`;

const attributesOf = (attributes: Span['attributes']) =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: anyValueOf(value) }));

function anyValueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
