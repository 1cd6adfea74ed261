import { endpointName } from '../../contract/health.js';
import { type NumberDocument, numberDigits } from '../../contract/number.js';
import { defaultTransferPolicy, type TransferPolicy } from '../../contract/transfer.js';
import { escapeUser, formatHostPort, type SipUri, type TelUri, userOf } from '../../sip/uri.js';
import type { OutboundRoute, TrunkServer, TrunkTarget } from '../routing/targets.js';
import { type Dialled, type DialledKind, namesPremium, readDialled } from './dialled.js';

/** What judges a transfer target, from the number and the call. */
export interface TransferScope {
  readonly policy: TransferPolicy;
  /** The requesting side. A caller spends the number's money, so the trunk's side may do less than our own agent. */
  readonly requestedBy: 'trunk' | 'agent';
  /** The number of the call, E.164 digits without plus. */
  readonly number: string;
  /** True: the target is a number of the same organization. */
  readonly isOwnNumber: boolean;
  /** Undefined: the number has no outbound direction, and can only have the trunk transfer. */
  readonly route: OutboundRoute | undefined;
  /** False: the trunk is asked to call the target. */
  readonly isCalledByUs: boolean;
  /** Our own listeners' hosts: a REFER often keeps the host of the call. */
  readonly ownHosts: readonly string[];
  /** Hosts of the trunk's side; none of them chosen by the trunk where it is the requester. */
  readonly callHosts: readonly string[];
}

/** A target that may be called. */
export interface Destination {
  /** The Request-URI's user. */
  readonly user: string;
  /** In order; a later one is tried where the number's triggers say so. Empty without an outbound direction. */
  readonly servers: readonly TrunkServer[];
  /** False: a third party's server, which does not get the number's credentials. */
  readonly isOwnTrunk: boolean;
}

export type Judgement =
  | { readonly ok: true; readonly destination: Destination }
  | { readonly ok: false; readonly status: 403 | 603; readonly detail: string };

/** The rules for the transfers of a call, and for where a trunk may redirect Demarc's INVITE. */
export const policyFor = (
  direction: 'inbound' | 'outbound',
  { transfer, outbound_policy }: NumberDocument,
): TransferPolicy =>
  (direction === 'outbound' ? outbound_policy?.transfer : undefined) ?? transfer ?? defaultTransferPolicy;

const refuse = (status: 403 | 603, detail: string): Judgement => ({ ok: false, status, detail });

const plain = (host: string): string => host.replace(/^\[|\]$|\.$/g, '').toLowerCase();

export const isSameHost = (first: string, second: string): boolean => plain(first) === plain(second);

/**
 * Decides whether a transfer to the target is allowed, and by which servers. A user is called at the number's own servers if
 * the host is exactly one of theirs or of the call's, so a transferor cannot make us call an arbitrary server. A host in
 * `allowed_targets` is called directly. By default the trunk's side reaches extensions and the organization's own numbers,
 * and the public network only by a listed prefix. Premium numbers, emergency numbers and feature codes always need a listed
 * prefix.
 */
export function judgeTarget(uri: SipUri | TelUri, scope: TransferScope): Judgement {
  const { policy, route } = scope;
  const dialled = readDialled(uri, scope.number);
  if (dialled === undefined) {
    return refuse(603, 'The target has no user: a user or a number is required.');
  }
  if (route === undefined && scope.isCalledByUs) {
    return refuse(603, 'The number has no outbound direction to transfer through.');
  }
  const host = uri.kind === 'sip' ? plain(uri.host) : undefined;
  const isListedHost =
    host !== undefined && policy.allowed_targets?.some((each) => plain(each) === host) === true;
  const trunks = route?.servers ?? [];
  const knownHosts = [...trunks.map((each) => each.host), ...scope.ownHosts, ...scope.callHosts].map(plain);
  if (host === undefined || knownHosts.includes(host)) {
    const problem = problemOf(dialled, scope, isListedHost);
    if (problem !== undefined) return refuse(403, problem);
    return { ok: true, destination: { user: dialled.text, servers: trunks, isOwnTrunk: true } };
  }
  if (isListedHost && uri.kind === 'sip') {
    const { transport = 'tls', isSecure = true } = trunks[0] ?? {};
    const target = { host: uri.host, port: uri.port, transport };
    const server = { ...target, name: endpointName(target), isSecure, credential: undefined, mappings: [] };
    return { ok: true, destination: { user: userOf(uri)!, servers: [server], isOwnTrunk: false } };
  }
  return refuse(403, `${host} is neither a server of the number nor among its allowed_targets.`);
}

const forNamed: Readonly<Partial<Record<DialledKind, string>>> = {
  emergency: 'an emergency number',
  feature: 'a feature code',
  premium: 'a premium-rate number',
};

/** Why the user must not be called at the number's own servers; undefined: it may. */
function problemOf({ text, kind }: Dialled, scope: TransferScope, isListedHost: boolean): string | undefined {
  const { policy, requestedBy, isOwnNumber } = scope;
  const allowed = policy.allowed_targets;
  if (kind === 'unclear') {
    return `${text} is neither a number nor a name: a name begins with a letter, has at most six digits, and no parameters.`;
  }
  if (/^[+0-9*#]+$/.test(text) && allowed?.includes(text) === true) return undefined;
  const listed = allowed?.filter((each) => each.startsWith('+') && text.startsWith(each)) ?? [];
  if (kind === 'premium' && listed.some(namesPremium)) return undefined;
  const special = forNamed[kind];
  if (special !== undefined) return `${text} is ${special} that allowed_targets does not list.`;
  if (kind === 'extension' || (!text.startsWith('+') && requestedBy === 'agent')) {
    const isAllowed = allowed === undefined || isListedHost;
    return isAllowed ? undefined : `${text} is not among the number's allowed_targets.`;
  }
  if (listed.length > 0) return undefined;
  if (allowed !== undefined) return `${text} is not among the number's allowed_targets.`;
  if (requestedBy === 'agent' || isOwnNumber) return undefined;
  return `${text} is a public number: callers can reach it only if allowed_targets lists its prefix.`;
}

/** Digits that may be one of our numbers. */
export function targetDigits(uri: SipUri | TelUri): string | undefined {
  const user = userOf(uri);
  return user === undefined ? undefined : numberDigits(user);
}

/** A user at a host as it may stand in a URI (RFC 3261 §25.1). */
export function uriOf(user: string, host: string, port: number | undefined): string {
  return `sip:${escapeUser(user)}@${formatHostPort(plain(host), port)}`;
}

/** The Request-URI for a destination at one of its servers, with the transport as calls to trunks have it. */
export const destinationUri = (user: string, { host, port, transport }: TrunkTarget): string =>
  `${uriOf(user, host, port)};transport=${transport}`;
