import { connect, type Socket } from 'node:net';
import { SystemClock } from '../../../../src/base/system-clock.js';
import type { Clock } from '../../../../src/engine/clock.js';
import type { Flow, Listener, Protocol, Received } from '../../../../src/engine/transport/flow.js';
import type { TransportNotice, WireObserver } from '../../../../src/engine/transport/observer.js';
import { transportSettings } from '../../../../src/engine/transport/settings.js';
import { TransportLayer, type TransportParts } from '../../../../src/engine/transport/transport-layer.js';
import { Inbox } from '../../../../src/testkit/inbox.js';

type Given = Partial<Parameters<typeof transportSettings>[0]>;

/** A transport layer on loopback whose events a test can wait for. */
export class TestLayer {
  readonly messages = new Inbox<Received>(({ message }) =>
    message.kind === 'request' ? message.method : String(message.status),
  );
  readonly closedFlows: Flow[] = [];
  readonly notices: TransportNotice[] = [];
  readonly layer: TransportLayer;

  private constructor(
    deps: Given,
    clock: Clock,
    observer: WireObserver | undefined,
    parts: TransportParts | undefined,
    answer: ((received: Received, layer: TransportLayer) => void) | undefined,
  ) {
    this.layer = new TransportLayer(
      transportSettings({ listeners: [{ protocol: 'tcp', address: '127.0.0.1', port: 0 }], ...deps }),
      {
        message: (received) => {
          this.messages.put(received);
          answer?.(received, this.layer);
        },
        flowClosed: (flow) => {
          this.closedFlows.push(flow);
        },
      },
      clock,
      observer,
      { report: (notice) => this.notices.push(notice), ...parts },
    );
  }

  static async start(
    deps: Given = {},
    more: {
      clock?: Clock;
      observer?: WireObserver;
      parts?: TransportParts;
      answer?: (received: Received, layer: TransportLayer) => void;
    } = {},
  ): Promise<TestLayer> {
    const { clock = new SystemClock(), observer, parts, answer } = more;
    const test = new TestLayer(deps, clock, observer, parts, answer);
    await test.layer.start();
    return test;
  }

  listener(protocol: Protocol): Listener {
    const found = this.layer.listeners.find((each) => each.protocol === protocol);
    if (found === undefined) throw new Error(`no ${protocol} listener`);
    return found;
  }

  next(what = 'message'): Promise<Received> {
    return this.messages.take(() => true, 10_000, what);
  }
}

/** A raw TCP client: what it got, and whether the far side has closed. */
export class RawPeer {
  received = '';
  isClosed = false;

  private constructor(readonly socket: Socket) {
    socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.isClosed = true;
    });
  }

  static async connect(port: number, host = '127.0.0.1'): Promise<RawPeer> {
    const socket = connect({ port, host, noDelay: true });
    const peer = new RawPeer(socket);
    // A refused connection may be reset before the client hears that it was opened.
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('close', () => resolve());
    });
    return peer;
  }

  send(bytes: string): void {
    this.socket.write(bytes, 'latin1');
  }

  close(): void {
    this.socket.destroy();
  }
}

export interface RequestParts {
  method?: string;
  via?: string;
  callId?: string;
  headers?: string;
  body?: string;
  contentLength?: number | string;
}

/** A request as octets. */
export function request(parts: RequestParts = {}): string {
  const method = parts.method ?? 'OPTIONS';
  const body = parts.body ?? '';
  return [
    `${method} sip:service@example.com SIP/2.0`,
    `Via: ${parts.via ?? 'SIP/2.0/TCP 192.0.2.1:5060;branch=z9hG4bKtest'}`,
    'From: <sip:alice@example.com>;tag=a1',
    'To: <sip:service@example.com>',
    `Call-ID: ${parts.callId ?? 'call-1'}`,
    `CSeq: 1 ${method}`,
    ...(parts.headers === undefined ? [] : [parts.headers]),
    `Content-Length: ${parts.contentLength ?? body.length}`,
    '',
    body,
  ].join('\r\n');
}

export const ok = (callId = 'call-1'): string =>
  [
    'SIP/2.0 200 OK',
    'Via: SIP/2.0/TCP 192.0.2.1:5060;branch=z9hG4bKtest',
    'From: <sip:alice@example.com>;tag=a1',
    'To: <sip:service@example.com>;tag=b1',
    `Call-ID: ${callId}`,
    'CSeq: 1 OPTIONS',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
