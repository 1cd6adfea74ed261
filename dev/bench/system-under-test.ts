import { execFileSync } from 'node:child_process';
import type { Metered } from './cpu.js';
import type { KeyPair } from './sipp.js';

/** What is measured: it takes calls over TLS and sends them to the agent over TCP. */
export interface SystemUnderTest {
  /** Unique in a run, as in tables. */
  readonly name: string;
  /** Programs and versions. */
  readonly description: string;
  /** The SIP over TLS listener. */
  readonly target: { readonly host: string; readonly port: number };
  /** The number to dial, or a file of numbers for SIPp's `-inf`. */
  readonly number: string | { readonly file: string };
  /** Every process of it. @throws when one was restarted since the start: its figures would be wrong */
  processes(): readonly Metered[];
  stop(): Promise<void>;
}

/** What every system gets. */
export interface SystemPlan {
  readonly name: string;
  /** For logs and data. */
  readonly directory: string;
  readonly agentPort: number;
  /** UDP ports for media. */
  readonly mediaPorts: { readonly low: number; readonly high: number };
  /** Loopback ports between the processes. */
  readonly privatePorts: { readonly low: number; readonly high: number };
  /** The server's certificate; a system may bring another of the same kind. */
  readonly keys: KeyPair;
  /** Node.js for the processes that need it. */
  readonly node: string;
  /** Options of that Node.js. */
  readonly nodeOptions: readonly string[];
  /** Pins all processes to these cores, as `taskset -c` reads them; undefined: no pinning. */
  readonly cores?: string | undefined;
  /** Pins control and PostgreSQL to another one; undefined: they run where the others do. */
  readonly storageCore?: number | undefined;
}

/** With the options, as in descriptions. */
export function nodeVersion({ node, nodeOptions }: SystemPlan): string {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  return [version.replace(/^v/, ''), ...nodeOptions].join(' ');
}
