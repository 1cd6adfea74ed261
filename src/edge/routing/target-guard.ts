import { isStreamUrl } from '../../contract/agent-stream.js';
import { isAddress } from '../../naming/address.js';
import { type EgressPolicy, type EgressProblem, egressText } from '../../naming/egress.js';
import { formatHostPort, parseUri } from '../../sip/uri.js';
import type { EngineLink } from '../sip/engine-link.js';
import { agentTarget } from './agent-target.js';
import { type EndpointNames, hostOf, targetsOf } from './endpoint-targets.js';
import type { TrunkTarget } from './targets.js';

/** Applies the egress policy to the targets of calls. */
export interface TargetGuard {
  /** Why a server of a customer must not be called; undefined: it may. Never rejects. */
  check(target: TrunkTarget): Promise<string | undefined>;
  /** The next hop for a target that has passed; undefined: the Request-URI's. */
  hop(target: TrunkTarget): string | undefined;
  /**
   * Both for an agent: the operator's agents may be on any network but must not be one of our listeners. Never rejects.
   * @param byOperator the operator's agent names it
   */
  agent(uri: string, byOperator?: boolean): Promise<AgentVerdict>;
}

export type AgentVerdict =
  | {
      readonly ok: true;
      readonly proxy: string | undefined;
      /** False: a customer configured the agent, and the media policy for trunks applies to it. */
      readonly isOperators: boolean;
    }
  | { readonly ok: false; readonly problem: string };

export interface TargetGuardDeps {
  readonly egress: EgressPolicy;
  readonly names: EndpointNames;
  readonly engine: Pick<EngineLink, 'isEmbedded'>;
  /** The operator's own agent. */
  readonly defaultAgentUri: string;
}

/** As many addresses as the engine tries. */
const maximumAddresses = 10;

/**
 * The egress policy for calls: a name with any refused address is not called. A name that cannot be resolved is left to the
 * engine, which reports it.
 */
export function targetGuard({ egress, names, engine, defaultAgentUri }: TargetGuardDeps): TargetGuard {
  const problemsOf = async (target: TrunkTarget): Promise<readonly EgressProblem[]> => {
    // The embedded engine knows its listeners, and checks the very addresses that it sends to.
    if (!isAddress(hostOf(target)) && egress.allowsPrivate && engine.isEmbedded) return [];
    const targets = await targetsOf(target, names, maximumAddresses).catch(() => []);
    return targets.flatMap((each) => egress.problemOf({ ...each, protocol: target.transport }) ?? []);
  };
  const textOf = (target: TrunkTarget, [problem]: readonly EgressProblem[]): string | undefined =>
    problem && egressText(hostOf(target), problem);
  /**
   * The engine resolves the name again for the INVITE, and sends to no private address, even if the name's addresses have
   * changed. A drachtio-server does its own lookup.
   */
  const isPinned = (target: TrunkTarget): boolean =>
    !egress.allowsPrivate && engine.isEmbedded && !isAddress(hostOf(target));
  return {
    check: async (target) => textOf(target, await problemsOf(target)),
    hop: (target) =>
      isPinned(target)
        ? `sip:${formatHostPort(hostOf(target), target.port)};transport=${target.transport};${publicOnly(egress)}`
        : undefined,
    async agent(uri, byOperator = false) {
      // Its audio comes from our own media-stream process, which asks the egress policy when it connects to the URL.
      if (isStreamUrl(uri)) return { ok: true, proxy: undefined, isOperators: true };
      const target = agentTarget(uri);
      if (target === undefined) return { ok: false, problem: `${uri.slice(0, 80)} is not an agent URI` };
      const isOperators = byOperator || uri === defaultAgentUri;
      const found = await problemsOf(target);
      const problem = textOf(target, isOperators ? found.filter((each) => each === 'own_listener') : found);
      if (problem !== undefined) return { ok: false, problem };
      const proxy = isOperators || !isPinned(target) ? undefined : hopOf(uri, egress);
      return { ok: true, proxy, isOperators };
    },
  };
}

const publicOnly = ({ privateNetworks }: EgressPolicy): string =>
  privateNetworks.length === 0 ? 'public-only' : `public-only=${privateNetworks.join('&')}`;

/** The agent's URI as a next hop, with the choice of the transport left as it is. */
function hopOf(text: string, egress: EgressPolicy): string | undefined {
  const uri = parseUri(text);
  if (uri?.kind !== 'sip') return undefined;
  const parameters = ['transport', 'maddr'].flatMap((name) => {
    const value = uri.parameters.get(name);
    return value === undefined ? [] : [`;${name}=${value}`];
  });
  return `${uri.scheme}:${formatHostPort(uri.host, uri.port)}${parameters.join('')};${publicOnly(egress)}`;
}
