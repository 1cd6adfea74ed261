import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callStream } from '../../../src/contract/keys.js';
import { isSampled, spanIdOf, traceIdOf } from '../../../src/contract/trace-context.js';
import { CallConsumer } from '../../../src/control/calls/history/call-consumer.js';
import type { Delivery } from '../../../src/control/deliveries/sender.js';
import { beginWebhook } from '../../../src/control/deliveries/webhook/webhook-span.js';
import { Telemetry } from '../../../src/control/telemetry/telemetry.js';
import { until } from '../../../src/testkit/waiting.js';
import { ControlBench, log } from './control-bench.js';
import { sampleRecord } from './history/sample-record.js';

interface ReceivedSpan {
  readonly service: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { value: { stringValue: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly Omit<ReceivedSpan, 'service'>[] }[];
  }[];
}

/** Receives OTLP/HTTP with JSON. */
let receiver: Server;
let spans: ReceivedSpan[];
let bench: ControlBench;
let telemetry: Telemetry;
let consumer: CallConsumer;
const share = 0.5;

beforeAll(async () => {
  spans = [];
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    for (const { resource, scopeSpans } of (JSON.parse(text) as Body).resourceSpans) {
      const service = resource.attributes[0]!.value.stringValue;
      for (const scope of scopeSpans) for (const span of scope.spans) spans.push({ service, ...span });
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const { port } = receiver.address() as AddressInfo;
  bench = await ControlBench.start();
  telemetry = new Telemetry(share, { url: `http://127.0.0.1:${port}`, headers: {}, version: 'test', log });
  await telemetry.start();
  consumer = new CallConsumer({
    database: bench.database,
    redis: bench.connectRedis(),
    reader: bench.connectRedis({ commandTimeout: 10_000 }),
    telemetry,
    log,
  });
  await consumer.start();
});
afterAll(async () => {
  await consumer?.stop();
  await telemetry?.stop();
  await bench?.stop();
  receiver?.closeAllConnections();
  receiver?.close();
});

const ids = Array.from(
  { length: 16 },
  (_, index) => `0af76519-16cd-43dd-84${index.toString(16)}8-eb211c80319c`,
);
const sampled = ids.filter((id) => isSampled(id, share));

it('sends one trace of each sampled call that it stores, by edge, engine and control', async () => {
  const redis = bench.redis.client();
  for (const id of ids) {
    const record = sampleRecord(id, { organization: bench.organization });
    await redis.xadd(callStream, '*', 'record', JSON.stringify(record));
  }
  redis.disconnect();
  expect(sampled.length).toBeGreaterThan(0);
  expect(sampled.length).toBeLessThan(ids.length);
  const traces = () => new Set(spans.map(({ traceId }) => traceId));
  await until(() => traces().size === sampled.length, 20_000, 'the spans');
  expect(traces()).toEqual(new Set(sampled.map(traceIdOf)));
  const [id] = sampled as [string];
  const trace = spans.filter(({ traceId }) => traceId === traceIdOf(id));
  expect(new Set(trace.map(({ service }) => service))).toEqual(
    new Set(['demarc-edge', 'demarc-engine', 'demarc-control']),
  );
  const root = trace.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(root).toMatchObject({ name: 'inbound call', spanId: spanIdOf(id, 'call') });
  // Every other span is below one of the trace.
  const known = new Set(trace.map(({ spanId }) => spanId));
  for (const { parentSpanId } of trace) if (parentSpanId !== undefined) expect(known).toContain(parentSpanId);
  expect(trace.map(({ name }) => name)).toContain('store record');
});

it('gives a webhook about a call the context of its attempt, and sends a span of it', async () => {
  const [id] = sampled as [string];
  const delivery = { id: 'dlv_1', event: 'call.completed', subject: id, attempts: 0 } as unknown as Delivery;
  const span = beginWebhook(telemetry, delivery)!;
  span.end({ kind: 'failed', status: 500, error: 'The receiver answered 500', isFinal: false });
  await until(() => spans.some(({ name }) => name === 'webhook call.completed'), 20_000, 'the span');
  const found = spans.find(({ name }) => name === 'webhook call.completed')!;
  expect(span.traceparent).toBe(`00-${traceIdOf(id)}-${found.spanId}-01`);
  expect(found.parentSpanId).toBe(spanIdOf(id, 'call'));
  expect(beginWebhook(telemetry, { ...delivery, event: 'alert.fired' })).toBeUndefined();
});
