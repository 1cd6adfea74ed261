import type { Logger } from '../../base/log.js';
import { isLoopback } from '../../naming/address-scope.js';
import type { OwnListener } from '../../naming/egress.js';
import type { TargetResolver } from '../../naming/target-resolver.js';
import { formatHostPort } from '../../sip/uri.js';
import { agentTarget } from '../routing/agent-target.js';
import { type EndpointNames, hostOf, targetsOf } from '../routing/endpoint-targets.js';
import type { EngineLink } from '../sip/engine-link.js';

/** As many addresses as the engine tries. */
const maximumAddresses = 10;

export interface AgentReachDeps {
  readonly engine: Pick<EngineLink, 'on' | 'ownListeners'>;
  readonly names: Pick<TargetResolver, 'resolve'>;
  /** The agent of numbers that set none. */
  readonly defaultAgentUri: string;
  readonly log: Logger;
}

/**
 * Checks whenever the engine connects whether it has a listener that requests to the operator's agent can leave from. A listener on loopback
 * reaches this machine only: without the warning, an agent on another machine gets no call, and nothing says why.
 */
export class AgentReach {
  private problem: string | undefined;
  private isChecked = false;

  constructor(private readonly deps: AgentReachDeps) {}

  start(): void {
    this.deps.engine.on('up', () => void this.check());
  }

  stop(): void {}

  /** For `/readyz`. Never a reason to refuse calls, because numbers can have their own agents. */
  state(): { readonly ready: true; readonly detail: string } {
    const { defaultAgentUri } = this.deps;
    return { ready: true, detail: this.problem ?? (this.isChecked ? defaultAgentUri : 'not checked') };
  }

  private async check(): Promise<void> {
    const { engine, names, defaultAgentUri: agent, log } = this.deps;
    this.problem = await agentProblem(agent, engine.ownListeners, names);
    this.isChecked = true;
    if (this.problem !== undefined) log.warn({ agent }, this.problem);
  }
}

/** Why the engine cannot send requests to an agent, with advice; undefined: it can, or the agent's name has no address now. */
export async function agentProblem(
  uri: string,
  listeners: readonly OwnListener[],
  names: EndpointNames,
): Promise<string | undefined> {
  const target = agentTarget(uri);
  if (target === undefined) return undefined;
  const { transport } = target;
  const usable = listeners.filter(({ protocol }) => protocol === transport);
  const advice = `Add a --${transport} listener on an address of this machine that the agent reaches.`;
  if (usable.length === 0)
    return `The SIP engine has no ${transport} listener to call the agent ${uri} from. ${advice}`;
  if (usable.some(({ host }) => !isLoopback(host))) return undefined;
  const targets = await targetsOf({ ...target, host: hostOf(target) }, names, maximumAddresses).catch(
    () => [],
  );
  const far = targets.find(({ address }) => !isLoopback(address));
  if (far === undefined) return undefined;
  const from = usable.map(({ host, port }) => formatHostPort(host, port)).join(', ');
  return `The SIP engine cannot reach the agent ${uri} at ${far.address} from its ${transport} listeners (${from}), which are on loopback. ${advice}`;
}
