import { type Flow, type Listener, type NextHop, type Target, TransportError } from '../transport/flow.js';
import type { Trust } from '../transport/trust.js';
import type { Environment } from './environment.js';

/** Where a request will go, and the listener whose address it carries. */
export interface Destination {
  readonly listener: Listener;
  readonly flow?: Flow;
  /** A promise while a name is being resolved; it may reject with TransportError. */
  readonly targets: readonly Target[] | Promise<readonly Target[]>;
  /** Trusted certificates, also for later requests in the same dialog. */
  readonly trust?: Trust;
}

const none: readonly Target[] = [];

export function isPending(
  targets: readonly Target[] | Promise<readonly Target[]>,
): targets is Promise<readonly Target[]> {
  return targets instanceof Promise;
}

/** Along an existing flow only: its loss is final. */
export function alongFlow(flow: Flow): Destination {
  return { listener: flow.listener, flow, targets: none };
}

/**
 * Resolves a next hop (RFC 3263), an open flow first when given.
 * Undefined when there is no listener for the requested protocol.
 */
export function destinationOf(environment: Environment, hop: NextHop, flow?: Flow): Destination | undefined {
  let targets: readonly Target[] | Promise<readonly Target[]>;
  try {
    targets = environment.transport.resolve(hop);
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    if (error.failure === 'unsupported' && flow === undefined) return undefined;
    targets = flow === undefined ? Promise.reject(error) : none;
  }
  const trust = hop.trust === undefined ? {} : { trust: hop.trust };
  if (flow !== undefined) {
    // With an open connection there is no need to wait for a DNS lookup.
    if (!isPending(targets)) return { listener: flow.listener, flow, targets, ...trust };
    targets.catch(() => undefined);
    return { listener: flow.listener, flow, targets: none, ...trust };
  }
  const listener = isPending(targets)
    ? expectedListener(environment, hop)
    : targets[0] && environment.transport.listenerFor(targets[0].protocol, targets[0].address);
  if (listener === undefined) {
    if (isPending(targets)) targets.catch(() => undefined);
    return undefined;
  }
  return { listener, targets, ...trust };
}

/** The listener that will most likely be used, before the name is resolved. */
function expectedListener(environment: Environment, hop: NextHop): Listener | undefined {
  const protocol = hop.secure ? 'tls' : hop.transport;
  const { listeners } = environment.transport;
  if (protocol !== undefined) return listeners.find((listener) => listener.protocol === protocol);
  return listeners.find((listener) => listener.protocol === 'udp') ?? listeners[0];
}
