import { z } from 'zod';
import type { Logger } from '../../base/log.js';
import { execute, type Redis } from '../../base/redis.js';
import type { EndReason } from '../../contract/call-record.js';
import { numberDigits } from '../../contract/number.js';
import { readJson } from '../../contract/read-json.js';
import {
  type FailedHandshake,
  failedHandshakeSchema,
  maximumSightingLength,
  maximumSightings,
  type Sighting,
  sightingChannel,
  sightingStream,
  type TlsSession,
  tlsSessionSchema,
} from '../../contract/sighting.js';
import { normalAddress } from '../../naming/address.js';
import { parseUri, userOf } from '../../sip/uri.js';
import type { TrunkStore } from '../routing/trunk-store.js';
import type { EngineLink } from '../sip/engine-link.js';
import type { ReceivedRequest } from '../sip/messages.js';
import { SightingBudget } from './sighting-budget.js';

export interface SightingsParts {
  readonly redis: Redis;
  readonly engine: Pick<EngineLink, 'isUp' | 'knowsPeers' | 'command'>;
  readonly trunks: Pick<TrunkStore, 'find'>;
  readonly edgeId: string;
  readonly log: Logger;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

/** What was answered to a request. */
export interface Answered {
  /** Null: an INVITE that was admitted. */
  readonly status: number | null;
  readonly endReason?: EndReason;
  readonly detail?: string;
  readonly callId?: string;
  /** Where admission has found it already; absent: it is looked up. */
  readonly number?: { readonly number: string; readonly organization: string } | undefined;
}

const perSecond = 10;
const handshakePollMilliseconds = 1_000;
const maximumText = { userAgent: 200, called: 64, detail: 400 };

/**
 * Publishes which requests of PBXs arrive, and how they were answered, for people who set one up. No request waits for it; nothing
 * depends on it; it is lost while Redis is down.
 */
export class Sightings {
  private readonly budget: SightingBudget;
  private timer: NodeJS.Timeout | undefined;
  private isPolling = false;

  constructor(private readonly parts: SightingsParts) {
    this.budget = new SightingBudget(perSecond, parts.now ?? (() => performance.now()));
  }

  start(): void {
    this.timer = setInterval(() => void this.pollHandshakes(), handshakePollMilliseconds);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Never throws and does not wait. */
  answered(request: ReceivedRequest, answer: Answered): void {
    const { method, source_address: address } = request;
    const called = calledUser(request.uri);
    if (!this.budget.take(address, `${method} ${answer.status} ${called}`)) return;
    void this.publish(request, answer, called).catch((error: Error) => this.failed(error));
  }

  private async publish(request: ReceivedRequest, answer: Answered, called: string | null): Promise<void> {
    const { method, source_address, source_port: port, protocol } = request;
    const [found, tls] = await Promise.all([
      'number' in answer ? answer.number : this.find(called),
      protocol === 'tls' ? this.sessionOf(source_address, port) : null,
    ]);
    await this.write({
      ...this.seen('request', source_address, port, protocol),
      tls,
      method,
      user_agent: request.get('User-Agent')?.slice(0, maximumText.userAgent) ?? null,
      called,
      number: found?.number ?? null,
      organization: found?.organization ?? null,
      call_id: answer.callId ?? null,
      status: answer.status,
      end_reason: answer.endReason ?? null,
      detail: answer.detail?.slice(0, maximumText.detail) ?? null,
    });
  }

  /** OPTIONS and REGISTER may name a number, too. */
  private async find(called: string | null): Promise<Answered['number']> {
    if (called === null || numberDigits(called) === undefined) return undefined;
    return this.parts.trunks.find(called).catch(() => undefined);
  }

  private async sessionOf(address: string, port: number): Promise<TlsSession | null> {
    const { engine } = this.parts;
    if (!engine.knowsPeers) return null;
    // The connection may be closed already.
    const { body } = await engine.command(`peer|${address}|${port}`).catch(() => ({ body: 'null' }));
    return readJson(tlsSessionSchema, body) ?? null;
  }

  private async pollHandshakes(): Promise<void> {
    const { engine } = this.parts;
    if (this.isPolling || !engine.isUp || !engine.knowsPeers) return;
    this.isPolling = true;
    try {
      const { body } = await engine.command('handshakes');
      for (const failed of readJson(z.array(failedHandshakeSchema), body) ?? []) await this.handshake(failed);
    } catch (error) {
      this.failed(error as Error);
    } finally {
      this.isPolling = false;
    }
  }

  private async handshake({ at, address, text }: FailedHandshake): Promise<void> {
    if (!this.budget.take(address, `handshake ${text}`)) return;
    await this.write({
      ...this.seen('handshake', address, null, 'tls'),
      at,
      tls: null,
      method: null,
      user_agent: null,
      called: null,
      number: null,
      organization: null,
      call_id: null,
      status: null,
      end_reason: null,
      detail: text,
    });
  }

  private seen(
    kind: Sighting['kind'],
    address: string,
    port: number | null,
    protocol: string,
  ): Pick<Sighting, 'at' | 'edge_id' | 'kind' | 'source'> {
    return {
      at: new Date().toISOString(),
      edge_id: this.parts.edgeId,
      kind,
      source: { address: normalAddress(address) ?? address, port, protocol },
    };
  }

  private async write(sighting: Sighting): Promise<void> {
    const { redis } = this.parts;
    const json = JSON.stringify(sighting);
    if (redis.status !== 'ready' || json.length > maximumSightingLength) return;
    const pipeline = redis.pipeline();
    pipeline.xadd(sightingStream, 'MAXLEN', '~', maximumSightings, '*', 'sighting', json);
    pipeline.publish(sightingChannel, json);
    await execute(pipeline);
  }

  private failed(error: Error): void {
    this.parts.log.debug({ error: error.message }, 'Publishing a sighting failed.');
  }
}

function calledUser(text: string): string | null {
  const uri = parseUri(text);
  const user = uri === undefined ? undefined : userOf(uri);
  return user === undefined || user === '' ? null : user.slice(0, maximumText.called);
}
