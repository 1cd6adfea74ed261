import type { Kysely, Selectable } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/tables.js';
import { e164 } from '../http/phone-number.js';
import { mediaTypes } from './documents/document-inspection.js';
import { numberTypes } from './number-plan.js';
import type { PortNumber, PortRequest } from './port-rows.js';
import { actors, portStatuses } from './port-status.js';
import type { PortMovesTable } from './tables.js';

const moment = z.iso.datetime();

export const portStatusSchema = z.enum(portStatuses).meta({
  id: 'PortStatus',
  description:
    'waiting_for_signature → submitted → in_progress → completed or failed; canceled from any state before completed.',
});

const portNumberSchema = z
  .object({
    number: z.string().meta({ description: 'The number, E.164 with +.' }),
    status: portStatusSchema,
    number_type: z
      .enum(numberTypes)
      .meta({ description: 'Kind of number; unknown: the carrier did not say.' }),
    reason: z.string().nullable().meta({ description: 'Why it failed or was canceled; null: neither.' }),
    active: z.boolean().meta({ description: 'True: it is now an inbound number of the organization.' }),
  })
  .meta({ id: 'PortNumber' });

export const portRequestSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the request.', examples: ['port_7e3c1f7e8a5e4c3c9f360f5f'] }),
    status: portStatusSchema,
    phone_numbers: z
      .array(portNumberSchema)
      .meta({ description: 'Its numbers, each with its own state; some may be ported before others.' }),
    authorized_rep_email: z.string().meta({ description: 'Who signs the Letter of Authorization.' }),
    notification_emails: z
      .array(z.string())
      .meta({ description: 'Addresses notified of each change of state.' }),
    target_port_date: z.iso
      .date()
      .meta({ description: 'Requested day, in the carrier’s time zone.', examples: ['2026-12-01'] }),
    carrier: z.enum(['manual', 'twilio']).meta({
      description: 'Who carries the request out: the API of a carrier, or an operator by hand (manual).',
    }),
    carrier_reference: z
      .string()
      .nullable()
      .meta({ description: 'The carrier’s id of the request; null: the carrier has not confirmed it.' }),
    carrier_problem: z.string().nullable().meta({
      description: 'Why the carrier could not be contacted, or what it is waiting for; null: none.',
    }),
    created_at: moment.meta({ description: 'When it was requested, ISO 8601 in UTC.' }),
    updated_at: moment,
  })
  .meta({ id: 'PortRequest' });
export type PortRequestView = z.infer<typeof portRequestSchema>;

const portMoveSchema = z
  .object({
    at: moment.meta({ description: 'When it moved, ISO 8601 in UTC.' }),
    number: z.string().nullable().meta({ description: 'Number that moved; null: the request as a whole.' }),
    from: portStatusSchema.nullable().meta({ description: 'State before; null: it began.' }),
    to: portStatusSchema.meta({ description: 'State after.' }),
    by: z.enum(actors).meta({ description: 'Who moved it.' }),
    reason: z.string().meta({ description: 'Why.' }),
  })
  .meta({ id: 'PortMove' });

export const portDetailSchema = portRequestSchema
  .extend({
    timeline: z.array(portMoveSchema).meta({ description: 'Every move, oldest first.' }),
    documents: z
      .array(
        z
          .object({
            document_sid: z.string().meta({ description: 'Id of the document.' }),
            kind: z.enum(['proof', 'letter', 'signed_letter']).meta({
              description: 'proof: uploaded; letter: Letter of Authorization; signed_letter: with signature.',
            }),
            media_type: z.enum(mediaTypes).meta({ description: 'Its type, detected from its content.' }),
            size: z.int().meta({ description: 'Octets.' }),
            created_at: moment,
          })
          .meta({ id: 'PortDocument' }),
      )
      .meta({ description: 'Its documents, while they are kept.' }),
    signature: z
      .object({
        email: z.string().meta({ description: 'Where the link was sent.' }),
        expires_at: moment.meta({ description: 'When the link expires, ISO 8601 in UTC.' }),
        signed_at: moment.nullable().meta({ description: 'When it was signed; null: it was not.' }),
        signer_name: z.string().nullable().meta({ description: 'Name under the signature; null: none.' }),
      })
      .meta({ description: 'Signature of the Letter of Authorization.' }),
  })
  .meta({ id: 'PortRequestDetail' });

export const portView = (request: PortRequest, numbers: readonly PortNumber[]): PortRequestView => ({
  id: request.id,
  status: request.status,
  phone_numbers: numbers.map((row) => ({
    number: e164(row.number),
    status: row.status,
    number_type: row.number_type,
    reason: row.reason,
    active: row.attached_at !== null,
  })),
  authorized_rep_email: request.authorized_email,
  notification_emails: request.notification_emails,
  target_port_date: request.target_day,
  carrier: request.carrier,
  carrier_reference: request.carrier_reference,
  carrier_problem: request.carrier_problem,
  created_at: request.created_at.toISOString(),
  updated_at: request.updated_at.toISOString(),
});

const moveView = (row: Selectable<PortMovesTable>): z.infer<typeof portMoveSchema> => ({
  at: row.moved_at.toISOString(),
  number: row.number === null ? null : e164(row.number),
  from: row.from_status,
  to: row.to_status,
  by: row.actor,
  reason: row.reason,
});

/** A request with its history. */
export async function portDetail(
  database: Kysely<Database>,
  request: PortRequest,
  numbers: readonly PortNumber[],
): Promise<z.infer<typeof portDetailSchema>> {
  const moves = await database
    .selectFrom('port_moves')
    .selectAll()
    .where('request_id', '=', request.id)
    .orderBy('id')
    .execute();
  const documents = await database
    .selectFrom('port_documents')
    .selectAll()
    .where('organization_id', '=', request.organization_id)
    .where((where) =>
      where.or([
        where('request_id', '=', request.id),
        ...(request.documents.length === 0 ? [] : [where('id', 'in', request.documents)]),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  const letter = await database
    .selectFrom('port_letters')
    .selectAll()
    .where('request_id', '=', request.id)
    .executeTakeFirstOrThrow();
  return {
    ...portView(request, numbers),
    timeline: moves.map(moveView),
    documents: documents.map((row) => ({
      document_sid: row.id,
      kind: row.kind,
      media_type: row.media_type,
      size: row.octets,
      created_at: row.created_at.toISOString(),
    })),
    signature: {
      email: request.authorized_email,
      expires_at: letter.expires_at.toISOString(),
      signed_at: letter.signed_at?.toISOString() ?? null,
      signer_name: letter.signer_name,
    },
  };
}
