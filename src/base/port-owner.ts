import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The process that listens on a TCP port, as far as /proc shows it (Linux; other users' processes only to root). */
export interface PortOwner {
  readonly pid: number;
  /** The start of the command line. */
  readonly command: string;
}

const listening = '0A';

function listeningInodes(port: number): Set<string> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const inodes = new Set<string>();
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let text: string;
    try {
      text = readFileSync(table, 'utf8');
    } catch {
      continue;
    }
    for (const line of text.split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      if (fields[1]?.endsWith(suffix) && fields[3] === listening && fields[9] !== undefined)
        inodes.add(fields[9]);
    }
  }
  return inodes;
}

function list(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}

export function ownerOfTcpPort(port: number): PortOwner | undefined {
  const inodes = listeningInodes(port);
  if (inodes.size === 0) return undefined;
  const sockets = new Set([...inodes].map((inode) => `socket:[${inode}]`));
  for (const entry of list('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    for (const descriptor of list(`/proc/${entry}/fd`)) {
      try {
        if (!sockets.has(readlinkSync(`/proc/${entry}/fd/${descriptor}`))) continue;
        const words = readFileSync(`/proc/${entry}/cmdline`, 'utf8').split('\0').join(' ').trim();
        return { pid: Number(entry), command: words.length > 80 ? `${words.slice(0, 79)}…` : words };
      } catch {
        // The process ended or closed the socket during the lookup.
      }
    }
  }
  return undefined;
}
