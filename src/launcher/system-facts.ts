import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { PrivatePorts } from './ports.js';
import type { StateDirectory } from './state-directory.js';

const factsSchema = z.strictObject({
  ports: z.record(z.string(), z.int()),
  secrets: z.record(z.string(), z.string()),
});

/**
 * The private ports and passwords of the processes, kept in the state directory: a launcher that follows a killed one uses the
 * same, so that processes that still run, and calls whose peers know a port, continue.
 */
export class SystemFacts {
  private readonly facts: z.infer<typeof factsSchema>;

  /** @param isRunning whether a process of that name was left running, so that its ports are taken, but not by a stranger */
  constructor(
    private readonly directory: StateDirectory,
    private readonly ports: PrivatePorts,
    private readonly isRunning: (processName: string) => boolean,
  ) {
    this.facts = read(directory.factsFile);
  }

  /** The port that it had, unless a stranger took it; else a free one. */
  async port(processName: string, purpose = ''): Promise<number> {
    const name = purpose === '' ? processName : `${processName} ${purpose}`;
    const stored = this.facts.ports[name];
    if (stored !== undefined && (this.isRunning(processName) || (await this.ports.isUsable(stored))))
      return stored;
    const ofOthers = new Set(Object.values(this.facts.ports));
    let port: number;
    do port = await this.ports.take();
    while (ofOthers.has(port));
    this.facts.ports[name] = port;
    this.directory.writeFacts(this.facts);
    return port;
  }

  /** Random, the same at each start. */
  secret(name: string): string {
    const stored = this.facts.secrets[name];
    if (stored !== undefined) return stored;
    const secret = randomBytes(24).toString('base64url');
    this.facts.secrets[name] = secret;
    this.directory.writeFacts(this.facts);
    return secret;
  }
}

function read(file: string): z.infer<typeof factsSchema> {
  try {
    return factsSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The first start here, or a damaged file: every process gets new ones.
    return { ports: {}, secrets: {} };
  }
}
