import { z } from 'zod';
import { pageLimit } from '../http/query.js';

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

export const momentsView = (row: {
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly promoted_at: Date | null;
  readonly promoted_by: string | null;
}) => ({
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
  promoted_at: row.promoted_at?.toISOString() ?? null,
  promoted_by: row.promoted_by,
});

const versionNumber = z.string().regex(/^[1-9]\d{0,8}$/, 'Must be the number of a version, from 1');

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
