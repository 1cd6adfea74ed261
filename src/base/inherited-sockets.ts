import { closeSync } from 'node:fs';

/** Variable of the environment: names of listening sockets and their descriptors, as JSON. */
export const inheritedSocketsVariable = 'INHERITED_SOCKETS';

/** A listening socket as Node holds it; it shows the descriptor to no one officially. */
interface Holder {
  readonly _handle?: { readonly fd?: number } | null;
}

/** The descriptor of a listening socket, to be given to a child process; undefined where the system has none. */
export function descriptorOf(socket: object): number | undefined {
  const descriptor = (socket as Holder)._handle?.fd;
  return descriptor === undefined || descriptor < 0 ? undefined : descriptor;
}

/** Listening sockets that this process got from its predecessor: no connection is refused while one replaces the other. */
export class InheritedSockets {
  private readonly descriptors: Map<string, number>;

  constructor(environment: NodeJS.ProcessEnv) {
    const text = environment[inheritedSocketsVariable];
    const entries = text === undefined ? {} : (JSON.parse(text) as Record<string, number>);
    this.descriptors = new Map(Object.entries(entries));
  }

  /** The descriptor, for one use; undefined: it has to be bound. */
  take(name: string): number | undefined {
    const descriptor = this.descriptors.get(name);
    this.descriptors.delete(name);
    return descriptor;
  }

  /** Closes those that the settings do not name any more. */
  closeRest(): void {
    for (const descriptor of this.descriptors.values()) closeSync(descriptor);
    this.descriptors.clear();
  }
}
