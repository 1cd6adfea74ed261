import { closeSync } from 'node:fs';

/** Environment variable: names of listening sockets and their descriptors, as JSON. */
export const inheritedSocketsVariable = 'INHERITED_SOCKETS';

/** A listening socket as Node.js has it; the public API does not expose the descriptor. */
interface Holder {
  readonly _handle?: { readonly fd?: number } | null;
}

/** The descriptor of a listening socket, to be given to a child process; undefined where the system has none. */
export function descriptorOf(socket: object): number | undefined {
  const descriptor = (socket as Holder)._handle?.fd;
  return descriptor === undefined || descriptor < 0 ? undefined : descriptor;
}

/** Listening sockets that this process inherits from its predecessor, so that no connection is refused during the replacement. */
export class InheritedSockets {
  private readonly descriptors: Map<string, number>;

  constructor(environment: NodeJS.ProcessEnv) {
    const text = environment[inheritedSocketsVariable];
    const entries = text === undefined ? {} : (JSON.parse(text) as Record<string, number>);
    this.descriptors = new Map(Object.entries(entries));
  }

  /** The descriptor, once; undefined: the socket must be bound. */
  take(name: string): number | undefined {
    const descriptor = this.descriptors.get(name);
    this.descriptors.delete(name);
    return descriptor;
  }

  /** Closes sockets that the settings no longer name. */
  closeRest(): void {
    for (const descriptor of this.descriptors.values()) closeSync(descriptor);
    this.descriptors.clear();
  }
}
