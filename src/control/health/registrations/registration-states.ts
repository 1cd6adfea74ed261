import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from '../../../base/redis.js';
import { readJson } from '../../../contract/read-json.js';
import {
  type RegistrationState,
  registerChannel,
  registrationKey,
  registrationStateSchema,
  registrationsOfKey,
} from '../../../contract/registration.js';
import { stateOf } from './view.js';

/** Longer than a working registrar takes to respond, shorter than clients and proxies wait. */
const waitMilliseconds = 8_000;
const lookMilliseconds = 100;

export interface RegistrationCounts {
  readonly total: number;
  readonly registered: number;
  readonly failed: number;
}

/** The registration states that edges report. */
export class RegistrationStates {
  constructor(private readonly redis: Redis) {}

  /** By id; registrations that no edge has reported are absent. Rejects while Redis is down. */
  async read(ids: readonly string[]): Promise<ReadonlyMap<string, RegistrationState>> {
    const states = new Map<string, RegistrationState>();
    if (ids.length === 0) return states;
    const raw = await this.redis.mget(...ids.map(registrationKey));
    ids.forEach((id, index) => {
      const state = readJson(registrationStateSchema, raw[index]);
      if (state !== undefined) states.set(id, state);
    });
    return states;
  }

  /** Of an organization; null: none. Rejects while Redis is down. */
  async count(organization: string): Promise<RegistrationCounts | null> {
    const ids = await this.redis.smembers(registrationsOfKey(organization));
    const states = [...(await this.read(ids)).values()].map(stateOf);
    if (states.length === 0) return null;
    const registered = states.filter((state) => state === 'registered').length;
    const failed = states.filter((state) => state === 'failed' || state === 'unregistered').length;
    return { total: states.length, registered, failed };
  }

  /** Has the edges register immediately and waits a bounded time for the outcome. Rejects while Redis is down. */
  async attempt(ids: readonly string[]): Promise<void> {
    const before = await this.read(ids);
    await Promise.all(ids.map((id) => this.redis.publish(registerChannel, id)));
    const end = performance.now() + waitMilliseconds;
    // If no edge has reported the registration yet, there is no edge to ask.
    let waiting = ids.filter((id) => before.has(id));
    while (waiting.length > 0 && performance.now() < end) {
      await sleep(lookMilliseconds);
      const now = await this.read(waiting);
      waiting = waiting.filter((id) => now.get(id)?.attempted_at === before.get(id)!.attempted_at);
    }
  }
}
