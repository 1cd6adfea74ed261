import { readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import type { HostNames } from './dns.js';

/** The file's date is checked this often. */
const checkMilliseconds = 5_000;

/** The names of the hosts file. Read again when the file changes. */
export class HostsFile implements HostNames {
  private names = new Map<string, string[]>();
  private checkedAt = Number.NEGATIVE_INFINITY;
  private modifiedAt = -1;

  constructor(
    private readonly file: string,
    private readonly now: () => number,
  ) {}

  /** The addresses of a lower-case name; `localhost` is loopback whatever the file says (RFC 6761 §6.3). */
  find(name: string): readonly string[] | undefined {
    if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    this.refresh();
    return this.names.get(name);
  }

  private refresh(): void {
    const now = this.now();
    if (now - this.checkedAt < checkMilliseconds) return;
    this.checkedAt = now;
    try {
      const { mtimeMs } = statSync(this.file);
      if (mtimeMs === this.modifiedAt) return;
      this.modifiedAt = mtimeMs;
      this.names = readNames(readFileSync(this.file, 'utf8'));
    } catch {
      // Without the file there are no names.
      this.names = new Map();
      this.modifiedAt = -1;
    }
  }
}

function readNames(text: string): Map<string, string[]> {
  const names = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [address = '', ...aliases] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const alias of aliases) {
      const name = alias.toLowerCase();
      const addresses = names.get(name);
      if (addresses === undefined) names.set(name, [address]);
      else addresses.push(address);
    }
  }
  return names;
}
