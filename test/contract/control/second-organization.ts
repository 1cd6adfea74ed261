import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { pause } from '../../../src/testkit/waiting.js';
import type { ControlBench } from './control-bench.js';

/** Of one measurement. */
const measuredMilliseconds = 2_000;
const intervalMilliseconds = 20;

/** What an organization sees of the service while another one attacks it. */
export class SecondOrganization {
  private constructor(
    readonly id: string,
    readonly key: string,
    private readonly url: string,
  ) {}

  static async create(bench: ControlBench, url: string): Promise<SecondOrganization> {
    const { id } = await createOrganization(bench.database, { name: 'beside', sipEnabled: true });
    const { key } = await createKey(bench.database, id, 'beside');
    return new SecondOrganization(id, key, url);
  }

  async call(path = '/v1/sip/numbers'): Promise<number> {
    const begun = performance.now();
    const answer = await fetch(this.url + path, { headers: { authorization: `Bearer ${this.key}` } });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${path} was answered ${answer.status}`);
    return performance.now() - begun;
  }

  /** 99th percentile of the milliseconds of an API call. */
  async slowest(): Promise<number> {
    await this.call();
    const times: number[] = [];
    const end = performance.now() + measuredMilliseconds;
    while (performance.now() < end) {
      times.push(await this.call());
      await pause(intervalMilliseconds);
    }
    times.sort((left, right) => left - right);
    return times[Math.floor(times.length * 0.99)]!;
  }

  /**
   * Rejects unless the slowest calls take at most three times as long as in a quiet time, and a tenth of a second. An attack lasts; the other
   * tests of a busy machine delay one measurement of three.
   */
  async expectServed(quiet: number): Promise<void> {
    const most = 3 * quiet + 100;
    const measured: number[] = [];
    while (measured.length < 3) {
      measured.push(await this.slowest());
      if (measured.at(-1)! <= most) return;
    }
    throw new Error(`The slowest calls took ${measured.join(', ')} ms; ${most} ms are allowed.`);
  }
}
