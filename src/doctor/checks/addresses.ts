import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { isLoopback, isPublic } from '../../naming/address-scope.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, warning } from '../finding.js';
import { messageOf } from '../system.js';

const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((list) => (list ?? []).map(({ address }) => address));

const isAny = (address: string): boolean => address === '0.0.0.0' || address === '::';

/** @param own addresses of this machine */
export function judgeBind(bind: string, own: readonly string[]): Finding {
  if (isLoopback(bind))
    return warning(
      `SIP listens on ${bind}: only this machine can call.`,
      'Set DEMARC_BIND to the address that carriers and PBXs reach.',
    );
  if (isAny(bind) || own.includes(bind)) return ok(`SIP listens on ${bind}.`);
  return problem(
    `DEMARC_BIND is ${bind}, which is no address of this machine (${own.join(', ')}).`,
    'Correct it, or give the machine that address.',
  );
}

/** @param addresses of the advertised host */
export function judgeAdvertised(host: string, addresses: readonly string[], own: readonly string[]): Finding {
  const isPublicOne = addresses.some(isPublic);
  const isHere = addresses.some((address) => own.includes(address));
  const text = `Carriers get the address ${host}${isIP(host) === 0 ? ` (${addresses.join(', ')})` : ''}`;
  if (!isPublicOne)
    return warning(
      `${text}, which is not public.`,
      'Set DEMARC_ADVERTISED_HOST to the public address or name, unless all peers are in this network.',
    );
  return ok(
    isHere ? `${text}.` : `${text}, which is outside of this machine: a NAT or balancer must lead here.`,
  );
}

export const addresses: Check = {
  name: 'addresses',
  title: 'Addresses',
  async run({ edge }) {
    if (edge === undefined) return [];
    const own = ownAddresses();
    const { bind, advertisedHost } = edge.engine;
    const findings = [judgeBind(bind, own)];
    const host = advertisedHost ?? bind;
    if (advertisedHost === undefined && (isAny(bind) || isLoopback(bind))) return findings;
    try {
      const found = isIP(host) === 0 ? await lookup(host, { all: true }) : [{ address: host }];
      findings.push(
        judgeAdvertised(
          host,
          found.map(({ address }) => address),
          own,
        ),
      );
    } catch (error) {
      findings.push(
        problem(
          `${host} has no address: ${messageOf(error)}.`,
          'Correct DEMARC_ADVERTISED_HOST, or create its DNS record.',
        ),
      );
    }
    return findings;
  },
};
