import { randomUUID } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { HostPort } from '../../config/environment.js';
import { isLoopback } from '../../naming/address-scope.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, skipped, warning } from '../finding.js';

const boundMilliseconds = 2_000;
const repeatMilliseconds = 500;
const slowMilliseconds = 50;

/** Milliseconds until the node has answered a ping (ng protocol: a cookie, a space, bencode); undefined: it has not. */
function ping({ host, port }: HostPort): Promise<number | undefined> {
  return new Promise((resolve) => {
    const cookie = randomUUID();
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const began = performance.now();
    const send = (): void => socket.send(`${cookie} d7:command4:pinge`, port, host, () => {});
    const end = (milliseconds: number | undefined): void => {
      clearTimeout(giveUp);
      clearInterval(repeat);
      socket.close();
      resolve(milliseconds);
    };
    const giveUp = setTimeout(() => end(undefined), boundMilliseconds);
    const repeat = setInterval(send, repeatMilliseconds);
    socket.on('error', () => {});
    socket.on('message', (message) => {
      if (message.toString('latin1').startsWith(`${cookie} `)) end(performance.now() - began);
    });
    send();
  });
}

export function judgeNode(name: string, milliseconds: number | undefined): Finding {
  if (milliseconds === undefined)
    return problem(
      `${name} does not answer.`,
      'Start it, check DEMARC_RTPENGINE, and let UDP through: calls have no media without it.',
    );
  const text = `${name} answered in ${milliseconds.toFixed(1)} ms.`;
  return milliseconds > slowMilliseconds
    ? warning(text, 'Bring it nearer, or find what keeps it busy.')
    : ok(text);
}

export const rtpengine: Check = {
  name: 'rtpengine',
  title: 'rtpengine',
  async run({ edge }) {
    if (edge === undefined) return [];
    const { nodes } = edge.rtpengine;
    const findings = await Promise.all(
      nodes.map(async (node) => judgeNode(`${node.host}:${node.port}`, await ping(node))),
    );
    const own = Object.values(networkInterfaces()).flatMap((list) =>
      (list ?? []).map(({ address }) => address),
    );
    const isHere = nodes.some(({ host }) => isLoopback(host) || own.includes(host));
    if (!isHere)
      return [...findings, skipped('No node is on this machine, so its kernel module was not looked at.')];
    findings.push(
      existsSync('/proc/rtpengine')
        ? ok('The kernel module is loaded.')
        : warning(
            'The kernel module of rtpengine is not loaded: packets are forwarded in user space.',
            'Install it for more than some hundred calls (docs/production.md).',
          ),
    );
    return findings;
  },
};
