import type { Transaction } from 'kysely';
import { DemarcError, type ErrorCode } from '../../errors.js';
import { isUnavailable } from '../database/database.js';
import type { Database } from '../database/tables.js';
import type { ControlDeps } from '../http/api-server.js';
import { describeNoNumber, e164, readPhoneNumber } from '../http/phone-number.js';
import { InvalidRequest } from '../http/validation.js';
import { configurationsOf, noteChange, refuseSharedTrunk } from '../numbers/number-access.js';
import { checkReachable } from '../numbers/private-endpoints.js';
import type { Configuration } from '../numbers/tables.js';
import type { Warning } from '../numbers/warnings.js';
import { newId } from '../organizations/identifiers.js';
import { inboundWarnings } from './admitted-sources.js';
import {
  columnsOf,
  identityOf,
  identityOfWanted,
  isAlready,
  namesNoCallers,
  type WantedConfiguration,
  wantedConfiguration,
} from './configuration.js';
import type { DirectionRequest } from './direction-schema.js';
import { derivePbxPassword } from './passwords.js';
import { requireProof } from './proof.js';
import { requireSymmetricDirections } from './symmetric-rtp.js';

const maximumConfigurations = 10;

export interface FailedNumber {
  readonly phone_number: string;
  readonly error: ErrorCode;
  readonly message: string;
}

export interface Attached {
  /** E.164 with plus. */
  readonly configured: string[];
  readonly failed: FailedNumber[];
  readonly warnings: Warning[];
  /** Null unless a registration was attached that was not before. */
  readonly register_password_for_pbx: string | null;
}

/** One configuration that a request asks for, with what is derived of it once for all numbers. */
export interface Wanted {
  readonly configuration: WantedConfiguration;
  readonly identity: string;
  readonly pbxPassword: string | undefined;
}

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

/** Attaches each number once, and tells which ones failed and why. Rejects with what the database throws for the first one. */
export async function attachEach(
  phoneNumbers: readonly string[],
  attachOne: (number: string) => Promise<AttachedNumber>,
): Promise<Attached> {
  const configured: string[] = [];
  const failed: FailedNumber[] = [];
  const warnings: Warning[] = [];
  let newPassword: string | null = null;
  const done = new Set<string>();
  for (const text of phoneNumbers) {
    const number = readPhoneNumber(text);
    if (number === undefined) {
      failed.push(failedNumber(text, new DemarcError('INVALID_PHONE_NUMBER', describeNoNumber(text))));
      continue;
    }
    if (done.has(number)) continue;
    done.add(number);
    try {
      const outcome = await attachOne(number);
      configured.push(e164(number));
      warnings.push(...outcome.warnings);
      newPassword ??= outcome.newPassword ?? null;
    } catch (error) {
      if (error instanceof DemarcError) {
        failed.push(failedNumber(e164(number), error));
      } else if (isUnavailable(error) && configured.length > 0) {
        failed.push(failedNumber(e164(number), new DemarcError('SERVICE_UNAVAILABLE')));
      } else {
        throw error;
      }
    }
  }
  return { configured, failed, warnings, register_password_for_pbx: newPassword };
}

const failedNumber = (phoneNumber: string, error: DemarcError): FailedNumber => ({
  phone_number: phoneNumber,
  error: error.code,
  message: error.message,
});

export function readDirections(
  { settings, secrets }: Pick<ControlDeps, 'settings' | 'secrets'>,
  organizationId: string,
  directions: readonly DirectionRequest[],
): Wanted[] {
  const wanted: Wanted[] = [];
  for (const [place, direction] of directions.entries()) {
    const configuration = wantedConfiguration(direction);
    checkReachable(settings, configuration.sipEndpoint, `directions.${place}.sip_endpoint`);
    checkReachable(settings, configuration.agent, `directions.${place}.agent`);
    for (const [index, endpoint] of (configuration.options.agents?.endpoints ?? []).entries())
      checkReachable(settings, endpoint, `directions.${place}.options.agents.endpoints.${index}`);
    checkReachable(settings, configuration.registrar, `directions.${place}.registrar`);
    for (const { fallback } of configuration.streams)
      checkReachable(settings, fallback ?? null, `directions.${place}.agent.fallback`);
    const { registerAuth, sipPassword } = configuration;
    if ((registerAuth ?? sipPassword) !== undefined && !secrets.hasKey)
      throw new DemarcError('SECRET_KEY_MISSING');
    const identity = identityOfWanted(configuration);
    const same = wanted.find(
      (candidate) => candidate.identity === identity && candidate.configuration.direction === direction.type,
    );
    if (same !== undefined) {
      if (JSON.stringify(same.configuration) === JSON.stringify(configuration)) continue;
      const what = direction.type === 'outbound' ? 'server' : 'callers';
      throw InvalidRequest.at(`directions.${place}`, `Another direction in the request has the same ${what}`);
    }
    if (registerAuth !== undefined && wanted.some(({ pbxPassword }) => pbxPassword !== undefined)) {
      throw InvalidRequest.at(
        `directions.${place}.auth_mode`,
        'Only one direction in a request can have auth_mode register',
      );
    }
    const pbxPassword =
      registerAuth && derivePbxPassword(settings.secretKeys[0], organizationId, registerAuth);
    wanted.push({ configuration, identity, pbxPassword });
  }
  return wanted;
}

export interface AttachedNumber {
  readonly warnings: Warning[];
  readonly newPassword: string | undefined;
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

/**
 * The configuration that the wanted one replaces: the one for the same calls; or an inbound one that says nothing about
 * who may call, which would leave the number as open as it was.
 */
function rowFor(
  existing: readonly Configuration[],
  { direction }: WantedConfiguration,
  identity: string,
): Configuration | undefined {
  const own = existing.filter((row) => row.direction === direction);
  const same = own.find((row) => identityOf(row) === identity);
  if (same !== undefined || direction === 'outbound') return same;
  return own.find((row) => namesNoCallers(identityOf(row)));
}
