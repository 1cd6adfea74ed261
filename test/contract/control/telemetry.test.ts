import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { callStream } from '../../../src/contract/keys.js';
import { isSampled, spanIdOf, traceIdOf } from '../../../src/contract/trace-context.js';
import { CallConsumer } from '../../../src/control/calls/history/call-consumer.js';
import type { Delivery } from '../../../src/control/deliveries/sender.js';
import { beginWebhook } from '../../../src/control/deliveries/webhook/webhook-span.js';
import { Telemetry } from '../../../src/control/telemetry/telemetry.js';
import { until } from '../../../src/testkit/waiting.js';
import { ControlBench, log } from './control-bench.js';
import { sampleRecord } from './history/sample-record.js';

const hexadecimal = (digits: number) =>
  z.string().regex(new RegExp(`^(?!0+$)[0-9a-f]{${digits}}$`), `${digits} hexadecimal digits, not all zero`);
/** `fixed64` and `int64` are text in JSON. */
const wholeNumber = z.string().regex(/^-?\d+$/);
const attributes = z
  .array(
    z.strictObject({
      key: z.string().min(1),
      value: z.union([
        z.strictObject({ stringValue: z.string() }),
        z.strictObject({ boolValue: z.boolean() }),
        z.strictObject({ intValue: wholeNumber }),
        z.strictObject({ doubleValue: z.number() }),
      ]),
    }),
  )
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, 'each key once');

/**
 * `ExportTraceServiceRequest` of opentelemetry-proto (collector/trace/v1/trace_service.proto) in OTLP's JSON encoding, where ids are hexadecimal and enumerations
 * numbers. Fields that Demarc does not send are refused as unknown ones are.
 */
const exportRequest = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes }),
        scopeSpans: z
          .array(
            z.strictObject({
              scope: z.strictObject({ name: z.string() }),
              spans: z
                .array(
                  z
                    .strictObject({
                      traceId: hexadecimal(32),
                      spanId: hexadecimal(16),
                      parentSpanId: hexadecimal(16).optional(),
                      name: z.string().min(1),
                      kind: z.int().min(1).max(5),
                      startTimeUnixNano: wholeNumber,
                      endTimeUnixNano: wholeNumber,
                      attributes,
                      events: z
                        .array(z.strictObject({ timeUnixNano: wholeNumber, name: z.string().min(1) }))
                        .optional(),
                      status: z.strictObject({ code: z.int().min(0).max(2), message: z.string() }).optional(),
                    })
                    .refine(
                      ({ startTimeUnixNano, endTimeUnixNano }) =>
                        BigInt(startTimeUnixNano) <= BigInt(endTimeUnixNano),
                      'ends before it starts',
                    ),
                )
                .min(1),
            }),
          )
          .min(1),
      }),
    )
    .min(1),
});
type SentSpan = z.infer<typeof exportRequest>['resourceSpans'][number]['scopeSpans'][number]['spans'][number];
interface ReceivedSpan extends SentSpan {
  readonly service: string;
}

/** Receives OTLP/HTTP with JSON. */
let receiver: Server;
let spans: ReceivedSpan[];
const invalid: string[] = [];
let bench: ControlBench;
let telemetry: Telemetry;
let consumer: CallConsumer;
const share = 0.5;

beforeAll(async () => {
  spans = [];
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const read = exportRequest.safeParse(JSON.parse(text));
    if (!read.success) invalid.push(z.prettifyError(read.error));
    for (const { resource, scopeSpans } of read.data?.resourceSpans ?? []) {
      const { value } = resource.attributes.find(({ key }) => key === 'service.name')!;
      const service = 'stringValue' in value ? value.stringValue : '';
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
  const spanIds = new Set(trace.map(({ spanId }) => spanId));
  for (const { parentSpanId } of trace)
    if (parentSpanId !== undefined) expect(spanIds).toContain(parentSpanId);
  expect(trace.map(({ name }) => name)).toContain('store record');
  expect(invalid).toEqual([]);
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
  expect(found.status).toEqual({ code: 2, message: 'The receiver answered 500' });
  expect(invalid).toEqual([]);
  expect(beginWebhook(telemetry, { ...delivery, event: 'alert.fired' })).toBeUndefined();
});
