import { isIP } from 'node:net';
import { mayBeScanned } from '../../contract/discovery.js';
import { formatHostPort } from '../../sip/uri.js';
import { type EndpointNames, hostOf, targetsOf } from '../health/endpoint-targets.js';
import type { TrunkTarget } from './targets.js';

/** Why a server must not be called; undefined: it may. Never rejects. */
export type TargetGuard = (target: TrunkTarget) => Promise<string | undefined>;

/**
 * The next hop by which our engine calls a server that the guard has let pass: the name is looked up anew for the INVITE, and the
 * engine sends to no private address, whatever the name leads to by then. Undefined for an address, and for a drachtio-server,
 * which looks names up by itself.
 */
export function guardedHop(target: TrunkTarget, isEmbedded: boolean): string | undefined {
  const host = hostOf(target);
  if (!isEmbedded || isIP(host) !== 0) return undefined;
  return `sip:${formatHostPort(host, target.port)};transport=${target.transport};public-only`;
}

/** As many addresses as the engine tries. */
const maximumAddresses = 10;

/**
 * Keeps calls out of our own network where customers may not name it: a name of theirs that leads to a private address,
 * wholly or in part, is not called. A name that cannot be resolved is left to the engine, which says so.
 */
export function targetGuard(names: EndpointNames): TargetGuard {
  return async (target) => {
    // An address was looked at when it was configured.
    if (isIP(hostOf(target)) !== 0) return undefined;
    const targets = await targetsOf(target, names, maximumAddresses).catch(() => []);
    const isOpen = targets.every(({ address }) => mayBeScanned(address, false));
    return isOpen
      ? undefined
      : 'The name leads to a private address, which cannot be called from this service';
  };
}
