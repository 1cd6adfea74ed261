import type { EventEmitter } from 'node:events';
import Srf from 'drachtio-srf';
import { within } from '../../src/testkit/waiting.js';
import type { EngineUnderTest } from './engine-under-test.js';

type Headers = Readonly<Record<string, string>>;

/** What the suite uses of the library's messages; its own declarations lack half of it. */
export interface SrfMessage {
  readonly headers: Headers;
  readonly body: string;
  readonly raw: string;
  get(name: string): string;
  has(name: string): boolean;
}

export interface SrfRequest extends EventEmitter {
  readonly method: string;
  readonly uri: string;
  readonly body: string;
  readonly source: string;
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  readonly receivedOn: string;
  readonly server: { readonly address: string; readonly hostport: string };
  readonly msg: SrfMessage;
  get(name: string): string;
  has(name: string): boolean;
  cancel(options?: { headers: Headers }, done?: (error: unknown, request: unknown) => void): void;
}

export interface SrfResponse {
  readonly status: number;
  readonly reason: string;
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  readonly msg: SrfMessage;
  readonly body: string;
  readonly finalResponseSent: boolean;
  get(name: string): string;
  has(name: string): boolean;
  send(
    status: number,
    options?: { headers?: Headers; body?: string } | string,
    done?: (error: unknown, sent: SrfMessage) => void,
    acknowledged?: (ack: SrfRequest) => void,
  ): void;
}

export interface SrfDialog extends EventEmitter {
  readonly id: string;
  readonly sip: { readonly callId: string; readonly localTag: string; readonly remoteTag: string };
  readonly local: { readonly uri: string; readonly sdp: string; readonly contact: string };
  readonly remote: { readonly uri: string; readonly sdp: string };
  readonly connected: boolean;
  readonly res: SrfResponse;
  other: SrfDialog;
  destroy(options?: { headers?: Headers }): Promise<SrfRequest>;
  modify(sdp: string): Promise<string>;
  request(options: { method: string; headers?: Headers; body?: string }): Promise<SrfResponse>;
}

export interface RequestOptions {
  readonly method?: string;
  readonly headers?: Headers;
  readonly localSdp?: string;
  readonly body?: string;
  readonly proxy?: string;
  readonly auth?: { readonly username: string; readonly password: string };
  readonly [option: string]: unknown;
}

export interface Progress {
  readonly cbRequest?: (error: unknown, request: SrfRequest) => void;
  readonly cbProvisional?: (response: SrfResponse) => void;
}

export type Handler = (request: SrfRequest, response: SrfResponse) => void;

export interface SrfApplication extends EventEmitter {
  readonly socket: unknown;
  connect(options: { host: string; port: number; secret: string; [option: string]: unknown }): void;
  disconnect(): void;
  use(method: string, handler: Handler): void;
  invite(handler: Handler): void;
  subscribe(handler: Handler): void;
  request(uri: string, options: RequestOptions): Promise<SrfRequest>;
  request(uri: string, options: RequestOptions, sent: (error: unknown, request: SrfRequest) => void): void;
  createUAS(request: SrfRequest, response: SrfResponse, options: RequestOptions): Promise<SrfDialog>;
  createUAC(uri: string, options: RequestOptions, progress?: Progress): Promise<SrfDialog>;
  createB2BUA(
    request: SrfRequest,
    response: SrfResponse,
    uri: string | RequestOptions,
    options?: RequestOptions,
    progress?: Progress,
  ): Promise<{ uas: SrfDialog; uac: SrfDialog }>;
  findDialogByCallIDAndFromTag(callId: string, fromTag: string): SrfDialog | undefined;
}

/** A new, unconnected application of the library. */
export function newApplication(tags?: string[]): SrfApplication {
  const application = tags === undefined ? new Srf() : new Srf(tags);
  return application as unknown as SrfApplication;
}

/** Arguments of the library's `connect` event. */
export interface Connected {
  readonly hostports: string;
  readonly version: string;
  readonly localHostports: string;
}

/**
 * Resolves when the engine has read what the application has sent so far, its routes say, of which the library does not
 * tell that they were heard: what it writes is read in order, and this is written last.
 */
export async function isHeard(application: SrfApplication): Promise<void> {
  // Connection refused, so the request ends at once.
  const asked = application.request('sip:nobody@127.0.0.1:9;transport=tcp', { method: 'OPTIONS' });
  await within(asked, 5_000, 'a request of the library');
}

/** Connects and waits until the library says so; rejects with what the engine answered. */
export async function connectApplication(
  application: SrfApplication,
  engine: Pick<EngineUnderTest, 'admin' | 'secret'>,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Connected> {
  const connected = new Promise<Connected>((resolve, reject) => {
    application.once('connect', (error: Error | null, hostports: string, version: string, local: string) => {
      if (error) reject(error);
      else resolve({ hostports, version, localHostports: local });
    });
  });
  application.on('error', () => {});
  application.connect({ ...engine.admin, secret: engine.secret, reconnect: { maxAttempts: 1 }, ...options });
  return within(connected, 5_000, 'connect event of the library');
}
