import { z } from 'zod';
import { isRedisDown, type Redis } from '../../../base/redis.js';
import {
  failbackOf,
  failoverKey,
  failoverTriggerSchema,
  inOrderOfUse,
  readOutages,
} from '../../../contract/failover.js';
import type { NumberDocument } from '../../../contract/number.js';
import { DemarcError } from '../../../errors.js';
import { endpointNamesOf } from '../number-health.js';

export const failoverStateSchema = z
  .object({
    active: z.string().meta({ description: 'The preferred server' }),
    failed_over: z.boolean().meta({ description: 'True: not the preferred server' }),
    since: z.iso.datetime().nullable().meta({ description: 'When the preferred server failed' }),
    reason: failoverTriggerSchema.nullable(),
    detail: z.string().nullable(),
    failback: z.enum(['auto', 'manual']),
    out: z
      .array(
        z.object({
          endpoint: z.string(),
          since: z.iso.datetime(),
          reason: failoverTriggerSchema,
          detail: z.string(),
          healthy_probes: z.int().meta({ description: 'Successful probes in a row since the failure' }),
        }),
      )
      .meta({ description: 'Servers out of use' }),
  })
  .meta({ id: 'FailoverState' });
export type FailoverState = z.infer<typeof failoverStateSchema>;

/** Which of its servers a number uses; null: it has one at most, or Redis does not answer. */
export async function readFailover(redis: Redis, document: NumberDocument): Promise<FailoverState | null> {
  const servers = endpointNamesOf(document);
  if (servers.length < 2) return null;
  try {
    return failoverStateOf(document, servers, await redis.hgetall(failoverKey(document.number)));
  } catch (error) {
    if (!isRedisDown(error)) throw error;
    return null;
  }
}

/**
 * Puts every server of the number back into use. Throws `DemarcError` `NO_BACKUP_SERVER` when there is nothing to choose from,
 * `FAILOVER_UNAVAILABLE` when Redis does not answer.
 */
export async function failBack(redis: Redis, document: NumberDocument): Promise<FailoverState> {
  const servers = endpointNamesOf(document);
  if (servers.length < 2) throw new DemarcError('NO_BACKUP_SERVER');
  try {
    // The next probe cleans up each server's index.
    await redis.del(failoverKey(document.number));
  } catch (error) {
    if (!isRedisDown(error)) throw error;
    throw new DemarcError('FAILOVER_UNAVAILABLE', { cause: error });
  }
  return failoverStateOf(document, servers, {});
}

/** @param hash of the number's outages in Redis */
export function failoverStateOf(
  document: NumberDocument,
  servers: readonly string[],
  hash: Readonly<Record<string, string>>,
): FailoverState {
  const outages = readOutages(hash);
  const [active] = inOrderOfUse(servers, (name) => name, outages);
  const first = outages.get(servers[0]!);
  const isFailedOver = active !== servers[0];
  return {
    active: active!,
    failed_over: isFailedOver,
    since: isFailedOver ? first!.since : null,
    reason: isFailedOver ? first!.trigger : null,
    detail: isFailedOver ? first!.detail : null,
    failback: failbackOf(document),
    out: servers.flatMap((endpoint) => {
      const outage = outages.get(endpoint);
      if (outage === undefined) return [];
      const { since, trigger, detail, healthyProbes } = outage;
      return [{ endpoint, since, reason: trigger, detail, healthy_probes: healthyProbes }];
    }),
  };
}
