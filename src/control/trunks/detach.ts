import { z } from 'zod';
import type { ControlDeps } from '../http/api-server.js';
import { e164 } from '../http/phone-number.js';
import { phoneNumberSchema } from '../numbers/fields.js';
import {
  changeNumber,
  type NumberVersion,
  refuseSharedTrunk,
  requirePhoneNumber,
} from '../numbers/number-access.js';
import type { Direction } from '../numbers/tables.js';

export const detachSchema = z.strictObject({
  phone_number: phoneNumberSchema,
  directions: z
    .array(
      z.strictObject({
        type: z.enum(['inbound', 'outbound']),
        id: z
          .string()
          .max(64)
          .optional()
          .meta({ description: 'Remove only this configuration of the direction' }),
      }),
    )
    .min(1)
    .max(10),
  service: z.literal('sip').default('sip'),
});

export interface Detached {
  readonly phone_number: string;
  /** Directions from which configurations were removed. */
  readonly detached: Direction[];
  /** Directions that still have a configuration. */
  readonly remaining: Direction[];
}

/**
 * Removes configurations of a number; with the last one any organization can claim the number. A direction without any is
 * accepted. Throws `DemarcError` `NOT_FOUND` for a number that is not the organization's.
 */
export async function detachNumber(
  { database }: ControlDeps,
  organizationId: string,
  request: z.output<typeof detachSchema>,
  version?: NumberVersion,
): Promise<Detached> {
  const number = requirePhoneNumber(request.phone_number);
  return changeNumber(
    database,
    organizationId,
    number,
    async (transaction, configurations) => {
      const { going, staying } = divided(configurations, request.directions);
      if (staying.length > 0) await refuseSharedTrunk(transaction, number);
      const remaining = directionsOf(staying);
      if (staying.length === 0) {
        await transaction.deleteFrom('numbers').where('number', '=', number).execute();
      } else if (going.length > 0) {
        const ids = going.map(({ id }) => id);
        await transaction.deleteFrom('configurations').where('id', 'in', ids).execute();
        await transaction
          .deleteFrom('direction_settings')
          .where('number', '=', number)
          .where('direction', 'not in', remaining)
          .execute();
      }
      const result = { phone_number: e164(number), detached: directionsOf(going), remaining };
      return { changed: going.length > 0, result };
    },
    version,
  );
}

/** Which configurations a request removes, and which stay. */
export function divided<Row extends { readonly id: string; readonly direction: Direction }>(
  configurations: readonly Row[],
  directions: readonly { readonly type: Direction; readonly id?: string | undefined }[],
): { readonly going: Row[]; readonly staying: Row[] } {
  const going = configurations.filter((row) =>
    directions.some(({ type, id }) => type === row.direction && (id === undefined || id === row.id)),
  );
  return { going, staying: configurations.filter((row) => !going.includes(row)) };
}

/** Each direction of the rows once, inbound first. */
export const directionsOf = (rows: readonly { readonly direction: Direction }[]): Direction[] =>
  (['inbound', 'outbound'] as const).filter((direction) => rows.some((row) => row.direction === direction));
