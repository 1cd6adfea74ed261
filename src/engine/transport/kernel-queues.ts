import { readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { canonicalAddress } from '../../naming/address.js';

/** What the kernel still holds of one TCP connection. */
export interface SendQueue {
  /** Octets that the peer has not acknowledged, or that were not sent. */
  readonly unacknowledged: number;
  /** How often in a row the first of them was sent again without an acknowledgement. */
  readonly retransmissions: number;
}

const tables = ['/proc/net/tcp', '/proc/net/tcp6'] as const;

const established = '01';
const wordDigits = 8;

export const queueKey = (connection: {
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}): string => `${connection.localPort} ${connection.remoteAddress} ${connection.remotePort}`;

/**
 * The send queues of all established TCP connections of this network namespace, by `queueKey`. Node.js offers neither TCP_USER_TIMEOUT
 * nor TCP_INFO. Undefined: this system has no such table.
 */
export async function readSendQueues(): Promise<ReadonlyMap<string, SendQueue> | undefined> {
  const texts = await Promise.all(tables.map((path) => readFile(path, 'latin1').catch(() => undefined)));
  if (texts.every((text) => text === undefined)) return undefined;
  const queues = new Map<string, SendQueue>();
  for (const text of texts) addSendQueues(queues, text ?? '');
  return queues;
}

/** Adds the rows of one table (proc_net_tcp(5)) that hold unacknowledged octets. */
export function addSendQueues(queues: Map<string, SendQueue>, table: string): void {
  for (const line of table.split('\n').slice(1)) {
    const [, local = '', remote = '', state, sizes = '', , retransmissions = ''] = line.trim().split(/ +/);
    const unacknowledged = Number.parseInt(sizes.slice(0, wordDigits), 16);
    if (state !== established || !(unacknowledged > 0)) continue;
    const [address = '', port = ''] = remote.split(':');
    const key = queueKey({
      localPort: Number.parseInt(local.slice(local.indexOf(':') + 1), 16),
      remoteAddress: addressOf(address),
      remotePort: Number.parseInt(port, 16),
    });
    queues.set(key, { unacknowledged, retransmissions: Number.parseInt(retransmissions, 16) });
  }
}

/** Words of 32 bits, each in the byte order of this machine. */
function addressOf(digits: string): string {
  const words = digits.match(/.{8}/g) ?? [];
  const bytes = words.map((word) => {
    const octets = word.match(/../g)!;
    return endianness() === 'LE' ? octets.reverse() : octets;
  });
  if (bytes.length === 1) return bytes[0]!.map((octet) => Number.parseInt(octet, 16)).join('.');
  const groups = bytes.flatMap((octets) => [octets.slice(0, 2).join(''), octets.slice(2).join('')]);
  return canonicalAddress(groups.join(':').toLowerCase());
}
