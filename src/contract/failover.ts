import { z } from 'zod';
import type { NumberDocument } from './number.js';
import { readJson } from './read-json.js';

/** Which of a number's servers are out of use, for all edges: what a failed call found, until it is taken back. */

const failoverTriggers = ['unreachable', 'timeout', 'auth_failure'] as const;
export const failoverTriggerSchema = z.enum(failoverTriggers);
export type FailoverTrigger = z.infer<typeof failoverTriggerSchema>;

/** Why calls from a number go past one of its servers. */
const outageSchema = z.strictObject({
  /** ISO 8601: the first failure. */
  since: z.iso.datetime(),
  trigger: failoverTriggerSchema,
  /** What the server answered, for people. */
  detail: z.string(),
});
export type Outage = z.infer<typeof outageSchema>;

/** Hash of a number: `out:<endpointName>` is JSON of an `Outage`, `healthy:<endpointName>` counts good probes in a row since. */
export const failoverKey = (number: string): string => `demarc:failover:${number}`;
export const outageField = (endpoint: string): string => `out:${endpoint}`;
export const recoveryField = (endpoint: string): string => `healthy:${endpoint}`;

/** Set of the numbers for which that server is out. */
export const outageIndexKey = (endpoint: string): string => `demarc:failover-numbers:${endpoint}`;

/** After this long without outbound calls, a number starts again with its primary server. */
export const failoverSeconds = 30 * 86_400;

export interface ServerOutage extends Outage {
  readonly healthyProbes: number;
}

/** The servers that are out, by `endpointName`; entries that cannot be read are left out. */
export function readOutages(hash: Readonly<Record<string, string>>): ReadonlyMap<string, ServerOutage> {
  const outages = new Map<string, ServerOutage>();
  for (const [field, json] of Object.entries(hash)) {
    if (!field.startsWith('out:')) continue;
    const endpoint = field.slice('out:'.length);
    const outage = readJson(outageSchema, json);
    // An unreadable state: the server counts as good until its next failure.
    if (outage === undefined) continue;
    outages.set(endpoint, { ...outage, healthyProbes: Number(hash[recoveryField(endpoint)] ?? 0) });
  }
  return outages;
}

/** What to try first: servers that are not out, in order; then the others, since they may be back. */
export function inOrderOfUse<Server>(
  servers: readonly Server[],
  nameOf: (server: Server) => string,
  outages: ReadonlyMap<string, unknown>,
): readonly Server[] {
  const isOut = (server: Server): boolean => outages.has(nameOf(server));
  return [...servers.filter((server) => !isOut(server)), ...servers.filter(isOut)];
}

/** Triggers of a number with several configurations and no policy. */
const usualTriggers: readonly FailoverTrigger[] = ['unreachable', 'timeout'];

/** The failures after which calls from the number go to the next server. */
export const triggersOf = ({ outbound_policy: policy }: NumberDocument): readonly FailoverTrigger[] =>
  policy?.failover?.triggers ?? usualTriggers;

/** Whether a server that failed is used again automatically. */
export const failbackOf = ({ outbound_policy: policy }: NumberDocument): 'auto' | 'manual' =>
  policy?.failover?.failback ?? 'auto';
