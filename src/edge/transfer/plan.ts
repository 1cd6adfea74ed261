import type { HeaderMapping } from '../../contract/header-mapping.js';
import { endpointName } from '../../contract/health.js';
import type { NumberDocument } from '../../contract/number.js';
import type { TransferPolicy } from '../../contract/transfer.js';
import { parseAddress } from '../../sip/address.js';
import { formatReplaces, type Replaces } from '../../sip/replaces.js';
import { parseHostPort, parseUri, userOf } from '../../sip/uri.js';
import type { Call } from '../call/call.js';
import { agentTarget } from '../routing/agent-target.js';
import { type OutboundRoute, routeOf } from '../routing/targets.js';
import { joinCalls } from './attended.js';
import { bridge } from './bridge.js';
import { consult } from './consult.js';
import { findDialog, isSettled } from './known-dialog.js';
import { passRefer } from './pass-refer.js';
import { type Destination, isSameHost, judgeTarget, policyFor } from './policy.js';
import type { ReferTarget } from './refer-to.js';
import type { Transfer } from './transfer.js';
import type { TransferDeps } from './transfer-deps.js';
import { WarmTransfer } from './warm-transfer.js';

interface Passing {
  readonly transfer: Transfer;
  readonly target: ReferTarget;
  readonly document: NumberDocument;
  readonly policy: TransferPolicy;
  readonly route: OutboundRoute | undefined;
  readonly destination: Destination;
  readonly headers: Headers;
}

export type Headers = Readonly<Record<string, string>>;

export type Plan =
  | { readonly status: 403 | 603; readonly detail: string }
  | {
      readonly run: (headers: Headers) => Promise<void>;
      /** How the number maps headers of its trunk. */
      readonly inbound: readonly HeaderMapping[];
    };

export const forbidden = (status: 403 | 603, detail: string): Plan => ({ status, detail });

const unknownDialog = 'Replaces matches no call of this transferor.';

interface Conditions {
  readonly document: NumberDocument;
  readonly mode?: TransferPolicy['mode'] | undefined;
  /** True: the target is a number of the same organization. */
  readonly isOwnNumber: boolean;
  /** True: the target names a dialog to replace, and no edge has it. */
  readonly replacesOthers?: boolean;
  /** True: the target is the number's own agent, which takes over from a bot that is lost. No policy concerns it. */
  readonly isFallback?: boolean;
}

/** How a transfer to that target is done, or why it is forbidden. `mode` overrides the number's. */
export function planTransfer(
  deps: TransferDeps,
  transfer: Transfer,
  target: ReferTarget,
  { document, mode, isOwnNumber, replacesOthers = false, isFallback = false }: Conditions,
): Plan {
  if (isFallback) return planFallback(deps, transfer, target, document);
  const { call, side } = transfer;
  const codecs = document.outbound_policy?.codecs ?? document.codecs;
  if (target.replaces !== undefined && !replacesOthers) {
    const replaced = findDialog(deps.table, target.replaces);
    if (
      replaced === undefined ||
      replaced.call === call ||
      replaced.side !== side ||
      replaced.call.state.organization !== call.state.organization ||
      !isSettled(replaced.call)
    ) {
      return forbidden(603, unknownDialog);
    }
    return { inbound: [], run: () => joinCalls(transfer, replaced, codecs) };
  }
  // Sent to ourselves, it would name no dialog there either.
  if (target.replaces !== undefined && isAtUs(deps, target)) return forbidden(603, unknownDialog);
  const replacing = target.replaces === undefined ? {} : replacingHeaders(target.replaces);
  const policy = policyFor(call.state.direction, document);
  const route = routeOf(document);
  const isPassed = side === 'agent' && (mode ?? policy.mode) === 'refer';
  const judgement = judgeTarget(target.uri, {
    policy,
    requestedBy: side,
    number: document.number,
    isOwnNumber,
    route,
    isCalledByUs: !isPassed,
    ownHosts: ownHostsOf(deps),
    // A requester's own headers prove nothing.
    callHosts: side === 'trunk' ? [call.state.source.address] : callHosts(call),
  });
  if (!judgement.ok) return forbidden(judgement.status, judgement.detail);
  const { destination } = judgement;
  const inbound = document.inbound[0]?.headers ?? [];
  if (!isPassed) {
    return {
      inbound,
      run: (headers) => {
        const to = { document, route: route!, destination, headers: { ...headers, ...replacing } };
        return transfer instanceof WarmTransfer ? consult(deps, transfer, to) : bridge(deps, transfer, to);
      },
    };
  }
  return {
    inbound,
    run: (headers) => pass(deps, { transfer, target, document, policy, route, destination, headers }),
  };
}

function planFallback(
  deps: TransferDeps,
  transfer: Transfer,
  { uri, text }: ReferTarget,
  document: NumberDocument,
): Plan {
  const agent = agentTarget(text);
  if (agent === undefined) return forbidden(603, 'The fallback agent is not a SIP URI.');
  const server = {
    ...agent,
    name: endpointName(agent),
    isSecure: false,
    credential: undefined,
    mappings: [],
  };
  const user = userOf(uri) ?? `+${document.number}`;
  return {
    inbound: document.inbound[0]?.headers ?? [],
    run: (headers) =>
      bridge(deps, transfer, {
        document,
        route: { servers: [server], triggers: new Set(), failback: 'auto' },
        destination: { user, servers: [server], isOwnTrunk: false },
        headers,
      }),
  };
}

/** RFC 5589 §7.1: the transferee's INVITE replaces the transferor at the target. */
const replacingHeaders = (replaces: Replaces): Headers => ({
  Replaces: formatReplaces(replaces),
  Require: 'replaces',
});

const isAtUs = (deps: TransferDeps, { uri }: ReferTarget): boolean =>
  uri.kind === 'sip' && ownHostsOf(deps).some((host) => isSameHost(host, uri.host));

async function pass(deps: TransferDeps, passing: Passing): Promise<void> {
  const { transfer, target, document, policy, route, destination, headers } = passing;
  const [trunkHost = transfer.call.state.source.address] = callHosts(transfer.call);
  const { text, replaces } = target;
  const refused = await passRefer(transfer, { destination, text, replaces, trunkHost, headers });
  if (refused === undefined) return;
  if (!policy.fallback || route === undefined) {
    transfer.finish(refused);
    return;
  }
  transfer.call.log.info({ status: refused.sipStatus }, 'The trunk does not transfer the call; bridging it.');
  const replacing = replaces === undefined ? {} : replacingHeaders(replaces);
  await bridge(deps, transfer, { document, route, destination, headers: { ...headers, ...replacing } });
}

/** The hosts of our own listeners. */
export const ownHostsOf = ({ engine }: TransferDeps): string[] =>
  engine.advertised.flatMap((each) => parseHostPort(each)?.host ?? []);

/** Hosts that stand for the trunk's side of the call: its Contact, its address, its own domain. */
function callHosts({ state, dialogs }: Call): string[] {
  const texts = [
    dialogs.trunk?.remote.uri,
    state.direction === 'inbound' ? parseAddress(state.from)?.uri : undefined,
  ];
  const hosts = texts.flatMap((text) => {
    const uri = text === undefined ? undefined : parseUri(text);
    return uri?.kind === 'sip' && uri.host !== 'localhost' ? [uri.host] : [];
  });
  return [...hosts, state.source.address].filter((host) => host !== '');
}
