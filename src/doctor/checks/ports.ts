import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { ownerOfTcpPort } from '../../base/port-owner.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped } from '../finding.js';

interface Listener {
  readonly protocol: 'tcp' | 'udp';
  readonly host: string;
  readonly port: number;
  readonly use: string;
}

/** The error code with which a listener cannot be opened; undefined: it can. */
function refusalOf({ protocol, host, port }: Listener): Promise<string | undefined> {
  return new Promise((resolve) => {
    if (protocol === 'udp') {
      const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
      socket.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
      socket.bind({ port, address: host, exclusive: true }, () => socket.close(() => resolve(undefined)));
      return;
    }
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code ?? 'unknown'));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

export function judgePort(
  { protocol, host, port, use }: Listener,
  refusal: string | undefined,
  owner: { readonly pid: number; readonly command: string } | undefined,
): Finding {
  const place = `${protocol} ${host}:${port} (${use})`;
  if (refusal === undefined) return ok(`${place} is free.`);
  if (refusal === 'EADDRINUSE') {
    // As in a container, or of another user.
    if (owner === undefined) return skipped(`${place} is in use by a process that is not visible here.`);
    const by = `process ${owner.pid}: ${owner.command}`;
    return /demarc|drachtio|dist\/cli\.js/.test(owner.command)
      ? ok(`${place} is in use by ${by}.`)
      : problem(`${place} is in use by ${by}.`, 'Stop that program, or choose another port.');
  }
  if (refusal === 'EACCES')
    return problem(
      `${place} may not be opened by this user.`,
      'Grant CAP_NET_BIND_SERVICE, or choose a port above 1023.',
    );
  if (refusal === 'EADDRNOTAVAIL')
    return problem(`${place} cannot be opened: no such address here.`, 'Correct the address.');
  return problem(`${place} cannot be opened: ${refusal}.`, 'Correct the address or the port.');
}

export const ports: Check = {
  name: 'ports',
  title: 'Ports',
  async run({ edge, control, mediaStream }) {
    const listeners: Listener[] = [];
    if (edge !== undefined && edge.drachtio === undefined) {
      const { bind: host, tlsPort, tcpPort, udpPort, certificateFile } = edge.engine;
      if (certificateFile !== undefined)
        listeners.push({ protocol: 'tcp', host, port: tlsPort, use: 'SIP over TLS' });
      if (tcpPort !== undefined)
        listeners.push({ protocol: 'tcp', host, port: tcpPort, use: 'SIP over TCP' });
      if (udpPort !== undefined)
        listeners.push({ protocol: 'udp', host, port: udpPort, use: 'SIP over UDP' });
    }
    if (edge !== undefined) listeners.push({ protocol: 'tcp', ...edge.http, use: 'HTTP of the edge' });
    if (control !== undefined && control.http.port !== edge?.http.port)
      listeners.push({ protocol: 'tcp', ...control.http, use: 'HTTP of control' });
    if (mediaStream !== undefined) {
      const { listen, http } = mediaStream;
      listeners.push({ protocol: 'tcp', ...listen, use: 'SIP of media-stream' });
      listeners.push({ protocol: 'udp', ...listen, use: 'SIP of media-stream' });
      listeners.push({ protocol: 'tcp', ...http, use: 'HTTP of media-stream' });
    }
    return Promise.all(
      listeners
        .filter(({ port }) => port !== 0)
        .map(async (each) => {
          const refusal = await refusalOf(each);
          const owner =
            each.protocol === 'tcp' && refusal !== undefined ? ownerOfTcpPort(each.port) : undefined;
          return judgePort(each, refusal, owner);
        }),
    );
  },
};
