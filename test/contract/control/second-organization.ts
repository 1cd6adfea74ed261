import { processorTime } from '../../../src/base/processor-time.js';
import { createKey } from '../../../src/control/organizations/keys.js';
import { createOrganization } from '../../../src/control/organizations/organizations.js';
import { pause } from '../../../src/testkit/waiting.js';
import type { ControlProcess } from '../../support/control-process.js';
import { Stopwatch } from '../../support/stopwatch.js';
import type { ControlBench } from './control-bench.js';

/** Of one measurement: what an attack delays it delays all the time, and each second of most attacks takes two of processor time. */
const measuredMilliseconds = 1_000;
const intervalMilliseconds = 20;

/** What an organization sees of the service while another one attacks it. */
export class SecondOrganization {
  private constructor(
    readonly id: string,
    readonly key: string,
    private readonly control: ControlProcess,
  ) {}

  static async create(bench: ControlBench, control: ControlProcess): Promise<SecondOrganization> {
    const { id } = await createOrganization(bench.database, { name: 'beside', sipEnabled: true });
    const { key } = await createKey(bench.database, id, 'beside');
    return new SecondOrganization(id, key, control);
  }

  async call(path = '/v1/sip/numbers'): Promise<number> {
    const begun = performance.now();
    const answer = await fetch(this.control.url + path, { headers: { authorization: `Bearer ${this.key}` } });
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
   * Rejects unless the slowest calls take at most three times as long as in a quiet time, and a tenth of a second; more as far as control's
   * event loop had to wait for a processor. An attack lasts; the other tests of a busy machine delay one measurement of three.
   */
  async expectServed(quiet: number): Promise<void> {
    const measured: string[] = [];
    while (measured.length < 3) {
      const watch = Stopwatch.start(() => processorTime(this.control.child.pid!, 'main'));
      const slowest = await this.slowest();
      const most = watch.bound(3 * quiet + 100);
      if (slowest <= most) return;
      measured.push(`${slowest.toFixed()} ms of ${most.toFixed()} ms`);
    }
    throw new Error(`The slowest calls took ${measured.join(', ')} that are allowed.`);
  }
}
