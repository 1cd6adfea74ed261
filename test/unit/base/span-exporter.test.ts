import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Span, SpanExporter } from '../../../src/base/span-exporter.js';
import { until } from '../../../src/testkit/waiting.js';

interface Received {
  readonly path: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: the body of a test's receiver.
  readonly body: any;
}

let server: Server;
let exporter: SpanExporter;
let received: Received[];
let status: number;
let counted: Record<'sent' | 'dropped', number>;

beforeEach(async () => {
  received = [];
  status = 200;
  counted = { sent: 0, dropped: 0 };
  server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    received.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
    response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  exporter = new SpanExporter({
    url: `http://127.0.0.1:${port}`,
    headers: { authorization: 'Bearer secret' },
    version: '1.2.3',
    log: pino({ level: 'silent' }),
    counted: (result, spans) => {
      counted[result] += spans;
    },
  });
  exporter.start();
});
afterEach(async () => {
  await exporter.stop();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const span = (changes: Partial<Span> = {}): Span => ({
  service: 'demarc-edge',
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  name: 'inbound call',
  kind: 'server',
  start: 1_795_186_800_000.25,
  end: 1_795_186_801_000,
  attributes: { text: 'a', whole: 7, part: 0.5, truth: true },
  ...changes,
});

it('sends spans by service, as OTLP writes them in JSON', async () => {
  exporter.add([
    span({ events: [{ at: 1_795_186_800_500, name: 'answered' }], error: 'agent_lost' }),
    span({ service: 'demarc-engine', spanId: '00f067aa0ba902b7', parentSpanId: 'b7ad6b7169203331' }),
  ]);
  await until(() => counted.sent === 2, 10_000, 'sent');
  const [{ path, headers, body }] = received as [Received];
  expect(path).toBe('/v1/traces');
  expect(headers).toMatchObject({ authorization: 'Bearer secret', 'content-type': 'application/json' });
  expect(body.resourceSpans).toHaveLength(2);
  expect(body.resourceSpans[0].resource.attributes).toEqual([
    { key: 'service.name', value: { stringValue: 'demarc-edge' } },
    { key: 'service.version', value: { stringValue: '1.2.3' } },
  ]);
  expect(body.resourceSpans[0].scopeSpans[0].spans).toEqual([
    {
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      name: 'inbound call',
      kind: 2,
      startTimeUnixNano: '1795186800000250000',
      endTimeUnixNano: '1795186801000000000',
      attributes: [
        { key: 'text', value: { stringValue: 'a' } },
        { key: 'whole', value: { intValue: '7' } },
        { key: 'part', value: { doubleValue: 0.5 } },
        { key: 'truth', value: { boolValue: true } },
      ],
      events: [{ timeUnixNano: '1795186800500000000', name: 'answered' }],
      status: { code: 2, message: 'agent_lost' },
    },
  ]);
  expect(body.resourceSpans[1].scopeSpans[0].spans[0].parentSpanId).toBe('b7ad6b7169203331');
});

it('keeps a bounded number of spans for a receiver that is down, and sends them once it is up', async () => {
  status = 503;
  exporter.add([span()]);
  await until(() => received.length > 0 && exporter.problem === 'HTTP 503', 10_000, 'a refusal');
  exporter.add(Array.from({ length: 20_000 }, () => span()));
  expect(counted).toEqual({ sent: 0, dropped: 20_001 - 8_192 });
  expect(exporter.dropped).toBe(counted.dropped);
  status = 200;
  await until(() => counted.sent === 8_192, 20_000, 'sent');
  expect(exporter.problem).toBeUndefined();
  // In portions.
  for (const { body } of received)
    expect(body.resourceSpans[0].scopeSpans[0].spans.length).toBeLessThanOrEqual(512);
});

it('gives up spans that the receiver refuses for good', async () => {
  status = 400;
  exporter.add([span(), span()]);
  await until(() => counted.dropped === 2, 10_000, 'dropped');
  status = 200;
  exporter.add([span()]);
  await until(() => counted.sent === 1, 10_000, 'sent');
});

it('sends what waits when it stops', async () => {
  exporter.add([span()]);
  await exporter.stop();
  expect(counted.sent).toBe(1);
});
