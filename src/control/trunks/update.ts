import type { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { ControlDeps } from '../http/api-server.js';
import {
  changeNumber,
  chooseConfiguration,
  configurationsOf,
  type NumberVersion,
  refuseSharedTrunk,
  requirePhoneNumber,
} from '../numbers/number-access.js';
import type { Configuration } from '../numbers/tables.js';
import type { Warning } from '../numbers/warnings.js';
import { inboundWarnings } from './admitted-sources.js';
import { changedColumns, isDuplicate, isSameColumn, type updateSchema } from './changed-columns.js';
import { requireSymmetricRtp } from './symmetric-rtp.js';

type UpdateRequest = z.infer<typeof updateSchema>;

export interface Updated {
  readonly configuration: Configuration;
  /** Null unless the registration was set or changed. */
  readonly newPassword: string | null;
  readonly warnings: Warning[];
}

/**
 * Changes one configuration of a number. Throws `InvalidRequest` when the outcome contradicts itself, `DemarcError`
 * `NOT_FOUND`, `AMBIGUOUS_CONFIGURATION`, `DUPLICATE_CONFIGURATION` or `SECRET_KEY_MISSING`: nothing is changed then.
 */
export async function updateDirection(
  deps: ControlDeps,
  organizationId: string,
  { phone_number, updates }: UpdateRequest,
  version?: NumberVersion,
): Promise<Updated> {
  const number = requirePhoneNumber(phone_number);
  await requireSymmetricRtp(deps, updates.options, 'updates.options');
  return changeNumber(
    deps.database,
    organizationId,
    number,
    async (transaction, configurations) => {
      await refuseSharedTrunk(transaction, number);
      const row = chooseConfiguration(configurations, updates.type, updates.id);
      const { columns, newPassword } = changedColumns(deps, organizationId, row, updates);
      const changed = Object.entries(columns).some(
        ([name, value]) => !isSameColumn(row[name as keyof Configuration], value),
      );
      if (changed) {
        await transaction
          .updateTable('configurations')
          .set({ ...columns, updated_at: new Date() })
          .where('id', '=', row.id)
          .execute();
      }
      const existing = await configurationsOf(transaction, number);
      const warnings =
        updates.type === 'inbound' ? inboundWarnings(number, existing, deps.settings.sourcePolicy) : [];
      const configuration = existing.find((candidate) => candidate.id === row.id)!;
      if (isDuplicate(configuration, row, existing)) throw new DemarcError('DUPLICATE_CONFIGURATION');
      return { changed, result: { configuration, newPassword: newPassword ?? null, warnings } };
    },
    version,
  );
}
