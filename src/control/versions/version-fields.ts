import type { Selectable } from 'kysely';
import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import type { Caller } from '../http/api-server.js';
import { pageLimit } from '../http/query.js';
import { promotionSchema, promotionView } from '../promotions/promotions.js';
import type { SubjectTable, VersionTable } from './columns.js';
import type { VersionedSubject } from './versioned-subjects.js';

const moment = z.iso.datetime();

/** The last fields of a version in the API. */
export const momentFields = {
  created_at: moment,
  updated_at: moment,
  promoted_at: moment.nullable().meta({ description: 'When it became live; null: it never was.' }),
  promoted_by: z
    .string()
    .nullable()
    .meta({ description: 'Id of the API key or member that promoted it; null: it never was live.' }),
};

export const momentsView = (row: Selectable<VersionTable>) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  promoted_at: row.promoted_at?.toISOString() ?? null,
  promoted_by: row.promoted_by,
});

/**
 * The last fields of a subject in the API.
 * @param live describes the live version
 */
export const presentFields = <Version extends z.ZodType>(version: Version, live: string) => ({
  current_production_version: z.nullable(version).meta({ description: live }),
  current_draft_version: z
    .nullable(version)
    .meta({ description: 'What the next promotion makes live; null: nothing.' }),
  promotion: promotionSchema
    .nullable()
    .meta({ description: 'The latest promotion that required tests; null: none.' }),
  created_at: moment,
  updated_at: moment,
});

export const presentView = <Summary, View>(
  { subject, draft, production, promotion }: VersionedSubject<Selectable<SubjectTable>, Summary>,
  viewOf: (version: Summary) => View,
) => ({
  current_production_version: production === undefined ? null : viewOf(production),
  current_draft_version: draft === undefined ? null : viewOf(draft),
  promotion: promotion === undefined ? null : promotionView(promotion),
  created_at: subject.created_at.toISOString(),
  updated_at: subject.updated_at.toISOString(),
});

const versionNumber = z.string().regex(/^[1-9]\d{0,8}$/, 'Must be the number of a version, from 1');

/**
 * The token of a call reads the version that the call got. Throws `DemarcError` `CALL_TOKEN_NOT_ACCEPTED`.
 * @param granted what the token grants; undefined: it names none
 */
export function requireOwnVersion(
  granted: { readonly id: string; readonly version: number } | undefined,
  { call }: Caller,
  id: string,
  versionNumber: number,
): void {
  if (call === undefined) return;
  if (granted?.id === id.toLowerCase() && granted.version === versionNumber) return;
  throw new DemarcError('CALL_TOKEN_NOT_ACCEPTED');
}

/** Of a path that names a version. */
export const versionNumberField = versionNumber.meta({
  description: 'Number of the version.',
  examples: ['1'],
});

/** Query of a list of versions. */
export const versionsQuery = z.strictObject({
  limit: pageLimit(100, 20),
  after: versionNumber.optional().meta({ description: '`next` of the previous page.' }),
});
