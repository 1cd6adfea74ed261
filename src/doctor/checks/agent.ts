import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { parseUri, type SipUri } from '../../sip/uri.js';
import type { Check } from '../context.js';
import { type Finding, ok, problem, warning } from '../finding.js';
import { messageOf } from '../system.js';

const boundMilliseconds = 3_000;
const repeatMilliseconds = 500;

type Transport = 'udp' | 'tcp' | 'tls';

interface Target {
  readonly uri: string;
  readonly host: string;
  readonly port: number;
  readonly transport: Transport;
}

/** Where the agent of a SIP URI listens; undefined: it is none that can be asked. */
export function targetOf(text: string): Target | undefined {
  const uri = parseUri(text);
  if (uri?.kind !== 'sip') return undefined;
  const transport = transportOf(uri);
  if (transport === undefined) return undefined;
  return { uri: text, host: uri.host, port: uri.port ?? (transport === 'tls' ? 5_061 : 5_060), transport };
}

function transportOf({ scheme, parameters }: SipUri): Transport | undefined {
  const named = parameters.get('transport')?.toLowerCase();
  if (scheme === 'sips') return 'tls';
  if (named === undefined) return 'udp';
  return named === 'udp' || named === 'tcp' || named === 'tls' ? named : undefined;
}

/** An OPTIONS request (RFC 3261 §11.1). */
export function optionsRequest({ uri, transport }: Target, local: { address: string; port: number }): string {
  const place = `${local.address.includes(':') ? `[${local.address}]` : local.address}:${local.port}`;
  const id = randomBytes(8).toString('hex');
  return [
    `OPTIONS ${uri} SIP/2.0`,
    `Via: SIP/2.0/${transport.toUpperCase()} ${place};branch=z9hG4bK${id};rport`,
    'Max-Forwards: 70',
    `From: <sip:doctor@${place}>;tag=${id}`,
    `To: <${uri}>`,
    `Call-ID: ${id}@${place}`,
    'CSeq: 1 OPTIONS',
    `Contact: <sip:doctor@${place}>`,
    'User-Agent: demarc-doctor',
    'Accept: application/sdp',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

/** The status line of the response. Rejects with the reason. */
function ask(target: Target, address: string): Promise<string> {
  return target.transport === 'udp' ? askByDatagram(target, address) : askByStream(target, address);
}

function askByDatagram(target: Target, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
    let repeat: NodeJS.Timeout | undefined;
    const end = (act: () => void): void => {
      clearTimeout(giveUp);
      clearInterval(repeat);
      socket.close();
      act();
    };
    const giveUp = setTimeout(() => end(() => reject(new Error('no response'))), boundMilliseconds);
    socket.once('error', (error) => end(() => reject(error)));
    socket.on('message', (message) => end(() => resolve(firstLine(message))));
    socket.connect(target.port, address, () => {
      const request = optionsRequest(target, socket.address());
      socket.send(request);
      repeat = setInterval(() => socket.send(request), repeatMilliseconds);
    });
  });
}

function askByStream(target: Target, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port, host, transport } = target;
    const socket =
      transport === 'tls'
        ? // Whether the engine trusts the agent's certificate is the engine's matter.
          connectTls({ host: address, port, servername: host, rejectUnauthorized: false })
        : connect({ host: address, port });
    const end = (act: () => void): void => {
      clearTimeout(giveUp);
      socket.destroy();
      act();
    };
    const giveUp = setTimeout(() => end(() => reject(new Error('no response'))), boundMilliseconds);
    socket.once('error', (error) => end(() => reject(error)));
    socket.once('data', (message) => end(() => resolve(firstLine(message))));
    socket.once(transport === 'tls' ? 'secureConnect' : 'connect', () => {
      const { localAddress = '127.0.0.1', localPort = 5_060 } = socket;
      socket.write(optionsRequest(target, { address: localAddress, port: localPort }));
    });
  });
}

const firstLine = (message: Buffer): string => message.toString('latin1').split('\r\n', 1)[0]!;

export function judgeResponse(uri: string, line: string): Finding {
  const status = /^SIP\/2\.0 (\d{3})/.exec(line)?.[1];
  if (status === undefined)
    return problem(`${uri} does not speak SIP.`, 'Check the port of DEMARC_AGENT_URI.');
  return status.startsWith('5') || status === '403' || status === '404'
    ? warning(`${uri} answered ${line.slice(8)} to OPTIONS.`, 'Look at the agent: it may refuse calls too.')
    : ok(`${uri} answered ${line.slice(8)}.`);
}

export const agent: Check = {
  name: 'agent',
  title: 'Agent',
  async run({ edge }) {
    if (edge === undefined) return [];
    const uri = edge.admission.defaultAgentUri;
    const target = targetOf(uri);
    if (target === undefined)
      return [problem(`${uri} is no SIP URI that can be called.`, 'Correct DEMARC_AGENT_URI.')];
    try {
      const { address } = await lookup(target.host.replace(/^\[|\]$/g, ''));
      return [judgeResponse(uri, await ask(target, address))];
    } catch (error) {
      return [
        problem(
          `${uri} cannot be reached: ${messageOf(error)}.`,
          'Start the agent, or correct DEMARC_AGENT_URI. Numbers that name their own agent are not affected.',
        ),
      ];
    }
  },
};
