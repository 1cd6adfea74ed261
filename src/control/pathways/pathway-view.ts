import { z } from 'zod';
import { e164 } from '../http/phone-number.js';
import { warningsSchema } from '../numbers/warnings.js';
import { momentFields, momentsView, presentFields, presentView } from '../versions/version-fields.js';
import { pathwayDocumentSchema } from './document.js';
import { checkDocument } from './document-check.js';
import type { Pathway, PathwayVersionRow, PathwayVersionSummary } from './pathway-storage.js';

/** A number whose calls follow a pathway. */
export interface FollowingNumber {
  /** E.164 digits without plus. */
  readonly number: string;
  /** Null: the live version. */
  readonly version: number | null;
}

const summary = z.object({
  id: z.string().meta({ description: 'Id of the version.' }),
  pathway_id: z.string(),
  version_type: z.enum(['draft', 'production', 'archived', 'fork']).meta({
    description:
      'draft: takes changes; production: live; archived: was live; fork: a copy that takes changes beside the draft.',
  }),
  version_number: z.int().meta({ description: 'Counts the versions of the pathway from 1.' }),
  forked_from: z
    .int()
    .nullable()
    .meta({ description: 'Number of the version that it was copied from; null: it is no fork.' }),
  note: z.string().nullable().meta({ description: 'Why it was copied; null: not set.' }),
  revision: z.int().meta({ description: 'Counts the changes of the version from 1.' }),
  ...momentFields,
});

/** A version without its document. */
export const pathwayVersionSummarySchema = summary.meta({ id: 'PathwayVersionSummary' });

/** One version of a pathway. */
export const pathwayVersionSchema = summary
  .extend({
    document: pathwayDocumentSchema.meta({ description: 'What a conversation follows.' }),
    warnings: z
      .array(
        z.object({
          node_id: z.string().meta({ description: 'Id of the node.' }),
          message: z.string().meta({ description: 'What is probably a mistake, in plain words.' }),
        }),
      )
      .meta({ description: 'Nodes that cannot be reached or left, and variables that not every path sets.' }),
  })
  .meta({ id: 'PathwayVersion' });

export const pathwaySchema = z
  .object({
    id: z.string().meta({ description: 'Id of the pathway, a UUID.' }),
    name: z.string(),
    description: z.string().nullable().meta({ description: 'Free text; null: not set.' }),
    numbers: z
      .array(
        z.object({
          phone_number: z.string().meta({ description: 'The number, E.164 with +.' }),
          version_number: z
            .int()
            .nullable()
            .meta({ description: 'The version that its calls follow; null: the live one.' }),
        }),
      )
      .meta({ description: 'Numbers whose inbound calls follow the pathway.' }),
    ...presentFields(pathwayVersionSummarySchema, 'The live version; null: none.'),
  })
  .meta({ id: 'Pathway' });

/** Of a response whose request changes what calls get. */
export const changedPathwaySchema = pathwaySchema
  .extend({ warnings: warningsSchema })
  .meta({ id: 'ChangedPathway' });

export const versionSummaryView = (
  row: PathwayVersionSummary,
): z.infer<typeof pathwayVersionSummarySchema> => ({
  id: row.id,
  pathway_id: row.pathway_id,
  version_type: row.state,
  version_number: row.version_number,
  forked_from: row.forked_from,
  note: row.note,
  revision: row.revision,
  ...momentsView(row),
});

export const pathwayVersionView = (row: PathwayVersionRow): z.infer<typeof pathwayVersionSchema> => ({
  ...versionSummaryView(row),
  document: row.document,
  warnings: [...checkDocument(row.document).warnings],
});

export const pathwayView = (
  pathway: Pathway,
  numbers: readonly FollowingNumber[],
): z.infer<typeof pathwaySchema> => ({
  id: pathway.subject.id,
  name: pathway.subject.name,
  description: pathway.subject.description,
  numbers: numbers.map(({ number, version }) => ({ phone_number: e164(number), version_number: version })),
  ...presentView(pathway, versionSummaryView),
});
