import { isIP } from 'node:net';
import { type EgressPolicy, egressText } from '../../naming/egress.js';
import { formatHostPort } from '../../sip/uri.js';
import type { EngineLink } from '../call/engine-link.js';
import { defaultPorts, type EndpointNames, hostOf, targetsOf } from '../health/endpoint-targets.js';
import type { TrunkTarget } from './targets.js';

/** Keeps calls away from where they must not go. */
export interface TargetGuard {
  /** Why a server or an agent must not be called; undefined: it may. Never rejects. */
  check(target: TrunkTarget): Promise<string | undefined>;
  /** The next hop for a target that has passed; undefined: the Request-URI's. */
  hop(target: TrunkTarget): string | undefined;
}

export interface TargetGuardDeps {
  readonly egress: EgressPolicy;
  readonly names: EndpointNames;
  readonly engine: Pick<EngineLink, 'isEmbedded'>;
}

/** As many addresses as the engine tries. */
const maximumAddresses = 10;

/**
 * The egress policy for calls: a name that leads to a refused address, wholly or in part, is not called. A name that cannot be
 * resolved is left to the engine, which says so.
 */
export function targetGuard({ egress, names, engine }: TargetGuardDeps): TargetGuard {
  return {
    async check(target) {
      const { port, transport } = target;
      const host = hostOf(target);
      if (isIP(host) !== 0) {
        const at = { address: host, port: port ?? defaultPorts[transport], protocol: transport };
        return textOf(host, egress.problemOf(at));
      }
      // The embedded engine knows its listeners, and looks at the very addresses that it sends to.
      if (egress.allowsPrivate && engine.isEmbedded) return undefined;
      const targets = await targetsOf(target, names, maximumAddresses).catch(() => []);
      const problems = targets.map((one) => egress.problemOf({ ...one, protocol: transport }));
      return textOf(
        host,
        problems.find((problem) => problem !== undefined),
      );
    },
    /**
     * The name is looked up anew for the INVITE, and the engine sends to no private address, whatever the name leads to by
     * then. A drachtio-server looks names up by itself.
     */
    hop(target) {
      const host = hostOf(target);
      if (egress.allowsPrivate || !engine.isEmbedded || isIP(host) !== 0) return undefined;
      const networks = egress.privateNetworks.join('&');
      const value = networks === '' ? '' : `=${networks}`;
      return `sip:${formatHostPort(host, target.port)};transport=${target.transport};public-only${value}`;
    },
  };
}

const textOf = (host: string, problem: Parameters<typeof egressText>[1] | undefined): string | undefined =>
  problem && egressText(host, problem);
