import { connect } from 'node:net';
import { isLoopback } from '../../naming/address-scope.js';
import { parseHostPort } from '../../sip/uri.js';

/** `accepts`: it takes connections; `refuses`: its machine is there, and no process has its ports; `silent`: nothing answers. */
export type EngineState = 'accepts' | 'refuses' | 'silent';

/** Less than TCP's first retransmission: beside silent pings it confirms what they show. */
const connectMilliseconds = 750;

/**
 * Whether the engine with these listeners takes connections, from outside its machine.
 * @param listeners `protocol/host:port`, separated by commas
 */
export async function engineState(listeners: string): Promise<EngineState> {
  const streams = listeners.split(',').flatMap((text) => {
    const [protocol, hostPort = ''] = text.split('/');
    const address = parseHostPort(hostPort);
    // Loopback is another one here.
    if (protocol === 'udp' || address?.port === undefined || isLoopback(address.host)) return [];
    return { protocol, host: address.host, port: address.port };
  });
  // A TLS listener would report the handshake that does not come.
  const plain = streams.filter(({ protocol }) => protocol === 'tcp');
  const states = await Promise.all(
    (plain.length > 0 ? plain : streams).map(({ host, port }) => stateAt(host, port)),
  );
  return (
    states.find((state) => state === 'accepts') ?? states.find((state) => state === 'refuses') ?? 'silent'
  );
}

function stateAt(host: string, port: number): Promise<EngineState> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const settle = (state: EngineState): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(state);
    };
    const timer = setTimeout(() => settle('silent'), connectMilliseconds);
    socket.once('connect', () => settle('accepts'));
    socket.once('error', (error: NodeJS.ErrnoException) =>
      settle(error.code === 'ECONNREFUSED' ? 'refuses' : 'silent'),
    );
  });
}
