import { setTimeout as sleep } from 'node:timers/promises';
import { callProcessOptions, controlOptions } from '../base/garbage-collection.js';
import type { ProcessPlan } from './managed-process.js';
import type { LauncherSettings } from './settings.js';
import type { StateDirectory } from './state-directory.js';
import type { SystemFacts } from './system-facts.js';

/** Nice value of processes that no call waits for: records and the API may be delayed, calls may not. */
export const backgroundNiceness = 10;
/** Three times the share of the processors: while it waits for one, so does every call. */
export const preferredNiceness = -5;

/** What a component can use to plan its process. */
export interface PartContext {
  readonly settings: LauncherSettings;
  readonly directory: StateDirectory;
  /** Ports and passwords, the same at each start. */
  readonly facts: Pick<SystemFacts, 'port' | 'secret'>;
}

/** A planned component: how to run it, and what the others need to know about it. */
export interface Part<Facts> {
  readonly plan: ProcessPlan;
  readonly facts: Facts;
}

/** Options of Node.js by role. */
const nodeOptions: Readonly<Record<string, readonly string[]>> = {
  engine: callProcessOptions,
  edge: callProcessOptions,
  'media-stream': callProcessOptions,
  control: controlOptions,
};

/** The command line that runs another role of this executable, from source or built. */
export function ownRole(role: string, ...args: readonly string[]): Pick<ProcessPlan, 'file' | 'args'> {
  const executable = process.argv[1];
  if (executable === undefined) throw new Error('The executable has no path.');
  return {
    file: process.execPath,
    args: [...process.execArgv, ...(nodeOptions[role] ?? []), executable, role, ...args],
  };
}

/** Polls until `attempt` returns true; a rejection counts as false. */
export async function until(attempt: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (await attempt().catch(() => false)) return;
    await sleep(30);
  }
  throw new Error('Timed out waiting.');
}

/** An address or name for URLs and `host:port`: IPv6 in brackets. */
export const hostForUrl = (host: string): string => (host.includes(':') ? `[${host}]` : host);

export const hostPortText = (host: string, port: number): string => `${hostForUrl(host)}:${port}`;
