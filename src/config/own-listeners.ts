import { interfaceAddresses } from '../base/interface-addresses.js';

/** TCP listeners of this service, which requests to URLs of customers never reach (`EgressPolicy`). */
export interface OwnListeners {
  readonly ownListeners: () => readonly {
    readonly protocol: 'tcp';
    readonly host: string;
    readonly port: number;
  }[];
  readonly localAddresses: () => readonly string[];
}

/** Each port at each host; every host that is not of this machine is listed. */
export function ownListenersOf(hosts: readonly string[], ports: readonly number[]): OwnListeners {
  const anywhere = ['0.0.0.0', '::', ...hosts];
  const listeners = ports.flatMap((port) =>
    anywhere.map((host) => ({ protocol: 'tcp' as const, host, port })),
  );
  return {
    ownListeners: () => listeners,
    localAddresses: interfaceAddresses,
  };
}
