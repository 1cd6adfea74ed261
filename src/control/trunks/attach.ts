import type { Transaction } from 'kysely';
import { DemarcError } from '../../errors.js';
import type { Database } from '../database/tables.js';
import type { ControlDeps } from '../http/api-server.js';
import { configurationsOf, noteChange, refuseSharedTrunk } from '../numbers/number-access.js';
import { newId } from '../organizations/identifiers.js';
import { inboundWarnings } from './admitted-sources.js';
import { type Attached, type AttachedNumber, attachEach } from './attach-each.js';
import { columnsOf, isAlready } from './configuration.js';
import type { DirectionRequest } from './direction-schema.js';
import { requireProof } from './proof.js';
import { requireSymmetricDirections } from './symmetric-rtp.js';
import { readDirections, rowFor, type Wanted } from './wanted-directions.js';

const maximumConfigurations = 10;

/**
 * Attaches the directions to every number, each number in a separate transaction. What a number has already stays
 * as it is; a configuration for the same server or the same callers is replaced, another one is added.
 * Throws `InvalidRequest` for directions that contradict each other, `DemarcError` `SECRET_KEY_MISSING` for passwords
 * without a key, and what the database throws when no number could be attached for it.
 */
export async function attachNumbers(
  deps: ControlDeps,
  organizationId: string,
  request: { readonly phoneNumbers: readonly string[]; readonly directions: readonly DirectionRequest[] },
): Promise<Attached> {
  const wanted = readDirections(deps, organizationId, request.directions);
  await requireSymmetricDirections(deps, request.directions);
  return attachEach(request.phoneNumbers, (number) => attachNumber(deps, organizationId, number, wanted));
}

async function attachNumber(
  deps: ControlDeps,
  organizationId: string,
  number: string,
  wanted: readonly Wanted[],
): Promise<AttachedNumber> {
  const { database, settings } = deps;
  return database.transaction().execute(async (transaction) => {
    if (settings.numberProof === 'required') await requireProof(transaction, organizationId, number);
    return attachWithin(transaction, deps, organizationId, number, wanted);
  });
}

/**
 * Attaches what is wanted to one number whose holder is known. Throws `DemarcError` `NUMBER_TAKEN`, `NUMBER_USES_TRUNK` or
 * `TOO_MANY_CONFIGURATIONS`.
 */
export async function attachWithin(
  transaction: Transaction<Database>,
  { settings, secrets }: Pick<ControlDeps, 'settings' | 'secrets'>,
  organizationId: string,
  number: string,
  wanted: readonly Wanted[],
): Promise<AttachedNumber> {
  await claimNumber(transaction, organizationId, number);
  await refuseSharedTrunk(transaction, number);
  const existing = await configurationsOf(transaction, number);
  // Each of them answers for one wanted configuration at most.
  const unmatched = new Set(existing);
  let newPassword: string | undefined;
  let count = existing.length;
  let changed = false;
  for (const { configuration, identity, pbxPassword } of wanted) {
    const row = rowFor([...unmatched], configuration, identity);
    if (row !== undefined) unmatched.delete(row);
    if (row !== undefined && isAlready(configuration, row, secrets, organizationId)) continue;
    const columns = columnsOf(configuration, pbxPassword, secrets, organizationId);
    if (row === undefined) {
      count++;
      if (count > maximumConfigurations)
        throw new DemarcError(
          'TOO_MANY_CONFIGURATIONS',
          `the maximum per number is ${maximumConfigurations}`,
        );
      await transaction
        .insertInto('configurations')
        .values({ ...columns, id: newId('cfg'), number, direction: configuration.direction })
        .execute();
    } else {
      await transaction
        .updateTable('configurations')
        .set({ ...columns, updated_at: new Date() })
        .where('id', '=', row.id)
        .execute();
    }
    changed = true;
    newPassword ??= pbxPassword;
  }
  if (changed) await noteChange(transaction, number);
  const asksForInbound = wanted.some(({ configuration }) => configuration.direction === 'inbound');
  const stored = asksForInbound ? await configurationsOf(transaction, number) : [];
  return { warnings: inboundWarnings(number, stored, settings.sourcePolicy), newPassword };
}

/** Makes the number the organization's, or locks it when it is. Throws `DemarcError` `NUMBER_TAKEN` when it is another's. */
export async function claimNumber(
  transaction: Transaction<Database>,
  organizationId: string,
  number: string,
): Promise<void> {
  const { organization_id } = await transaction
    .insertInto('numbers')
    .values({ number, organization_id: organizationId })
    // A no-op update that locks and returns the existing row.
    .onConflict((conflict) =>
      conflict.column('number').doUpdateSet((expression) => ({
        organization_id: expression.ref('numbers.organization_id'),
      })),
    )
    .returning('organization_id')
    .executeTakeFirstOrThrow();
  if (organization_id !== organizationId) throw new DemarcError('NUMBER_TAKEN');
}
