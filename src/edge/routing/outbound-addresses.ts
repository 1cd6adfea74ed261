import { within } from '../../base/within.js';
import type { Endpoint } from '../../contract/health.js';
import type { EndpointNames } from './endpoint-targets.js';

/** A call waits this long for a name that was never resolved before. */
const waitMilliseconds = 1_000;

/**
 * The addresses of a number's own servers: servers we call may call us. Names come from a resolver that keeps answers while
 * the DNS is down, so a call rarely waits, and never longer than a second.
 */
export class OutboundAddresses {
  constructor(private readonly names: EndpointNames) {}

  /**
   * Whether the address is one of the servers'. `unknown`: some could not be resolved, and none of the others matches.
   * @param address in normal form.
   */
  async includes(outbound: readonly Endpoint[], address: string): Promise<'yes' | 'no' | 'unknown'> {
    const sets = await Promise.all(outbound.map((server) => this.of(server)));
    if (sets.some((set) => set?.has(address) === true)) return 'yes';
    return sets.includes(undefined) ? 'unknown' : 'no';
  }

  private async of({ host, port, transport }: Endpoint): Promise<ReadonlySet<string> | undefined> {
    try {
      const target = { secure: false, host, port, transport };
      const found = this.names.resolve(target, { mayBeStale: true });
      const targets = found instanceof Promise ? await within(waitMilliseconds, found) : found;
      return targets && new Set(targets.map(({ address }) => address));
    } catch {
      // The name has no address, or no DNS server answered.
      return undefined;
    }
  }
}
