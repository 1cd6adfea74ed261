import { z } from 'zod';
import { advancedView } from '../advanced.js';
import { advancedViewSchema } from '../views.js';
import { mapPasswords, redacted } from './trunk-passwords.js';
import type { TrunkWithCount } from './trunk-storage.js';

const { failover_config: _, ...inboundShape } = advancedViewSchema.shape;

/** A trunk as responses show it, always without its passwords. */
export const trunkSchema = z
  .object({
    trunk_id: z.string().meta({ description: 'Id of the trunk', examples: ['trk_4f2b8c1d9e0a7b6c5d4e3f2a'] }),
    name: z.string().meta({ description: 'Free text' }),
    directions: z
      .array(z.record(z.string(), z.unknown()))
      .meta({ description: 'As configured, with [redacted] for each password' }),
    inbound: z
      .object(inboundShape)
      .meta({ description: 'Codecs, alerts, limits and transfers of calls to the numbers' }),
    outbound: z
      .object(advancedViewSchema.shape)
      .meta({ description: 'Failover, codecs, alerts, limits and transfers of calls from the numbers' }),
    number_count: z.int().meta({ description: 'Numbers that use the trunk' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Trunk' });

export function trunkView({ trunk, numberCount }: TrunkWithCount): z.infer<typeof trunkSchema> {
  const { failover_config: _none, ...inbound } = advancedView(trunk.inbound);
  return {
    trunk_id: trunk.id,
    name: trunk.name,
    directions: mapPasswords(trunk.directions, () => redacted).map((direction) => ({ ...direction })),
    inbound,
    outbound: advancedView(trunk.outbound),
    number_count: numberCount,
    created_at: trunk.created_at.toISOString(),
    updated_at: trunk.updated_at.toISOString(),
  };
}
