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

/** Longer than a registrar takes that answers at all, shorter than people and proxies wait. */
const waitMilliseconds = 8_000;
const lookMilliseconds = 100;

export interface RegistrationCounts {
  readonly total: number;
  readonly registered: number;
  readonly failed: number;
}

/** What the edges say of their registrations. */
export class RegistrationStates {
  constructor(private readonly redis: Redis) {}

  /** By id; without those that no edge has told of. Rejects while Redis is away. */
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

  /** Of an organization; null: it has none. Rejects while Redis is away. */
  async count(organization: string): Promise<RegistrationCounts | null> {
    const ids = await this.redis.smembers(registrationsOfKey(organization));
    const states = [...(await this.read(ids)).values()].map(stateOf);
    if (states.length === 0) return null;
    const registered = states.filter((state) => state === 'registered').length;
    const failed = states.filter((state) => state === 'failed' || state === 'unregistered').length;
    return { total: states.length, registered, failed };
  }

  /** Has the edges register at once, and waits for what comes of it, for a while. Rejects while Redis is away. */
  async attempt(ids: readonly string[]): Promise<void> {
    const before = await this.read(ids);
    await Promise.all(ids.map((id) => this.redis.publish(registerChannel, id)));
    const end = performance.now() + waitMilliseconds;
    // Where no edge has told of a registration yet, there is none to ask.
    let waiting = ids.filter((id) => before.has(id));
    while (waiting.length > 0 && performance.now() < end) {
      await sleep(lookMilliseconds);
      const now = await this.read(waiting);
      waiting = waiting.filter((id) => now.get(id)?.attempted_at === before.get(id)!.attempted_at);
    }
  }
}
