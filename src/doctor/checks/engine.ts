import { connect } from 'node:net';
import type { Check } from '../context.js';
import { ok, problem } from '../finding.js';

const boundMilliseconds = 3_000;

/** Why no TCP connection can be opened; undefined: one was. */
export function refusalOf(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: boundMilliseconds });
    const end = (why: string | undefined): void => {
      socket.destroy();
      resolve(why);
    };
    socket.once('connect', () => end(undefined));
    socket.once('timeout', () => end(`no answer within ${boundMilliseconds / 1_000} s`));
    socket.once('error', ({ message }) => end(message));
  });
}

export const engine: Check = {
  name: 'engine',
  title: 'SIP engine',
  async run({ edge }) {
    if (edge === undefined) return [];
    if (edge.drachtio === undefined) return [ok('The edge starts the embedded engine itself.')];
    const { host, port } = edge.drachtio;
    const why = await refusalOf(host, port);
    if (why === undefined) return [ok(`${host}:${port} accepts connections.`)];
    return [
      problem(
        `${host}:${port} cannot be reached: ${why}.`,
        'Start it, or correct DRACHTIO_HOST and DRACHTIO_PORT.',
      ),
    ];
  },
};
