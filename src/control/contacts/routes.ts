import { z } from 'zod';
import { agentReferenceSchema } from '../../contract/commands.js';
import { DemarcError } from '../../errors.js';
import type { ApiServer } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { pageLimit } from '../http/query.js';
import { contactOfCall } from './call-contact.js';
import {
  emailSchema,
  externalIdSchema,
  identifierFields,
  identifiersIn,
  metadataSchema,
  nameSchema,
  phoneSchema,
  requireContactNumber,
} from './contact-input.js';
import { lockContacts } from './contact-rows.js';
import { contactSchema, contactSummarySchema, readContact } from './contact-view.js';
import { findContact, listContacts, resolveContact, updateContact } from './contacts.js';
import type { ContactsDeps } from './contacts-deps.js';
import { ensureMemory } from './memory.js';
import { mergeContacts } from './merge.js';

export const contactTags = ['Contacts'];
const tags = contactTags;

export const contactPath = z.strictObject({
  contact_id: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'Id of the contact; ids of contacts merged into it lead to it too.' }),
});

const listQuery = z.strictObject({
  limit: pageLimit(200, 50),
  after: z.string().min(1).max(100).optional().meta({ description: '`next` of the previous page.' }),
  search: z.string().trim().max(200).optional().meta({
    description:
      'Only contacts with all of these words: the beginnings of names, email addresses and your ids, the first or last digits of numbers.',
  }),
});

const noIdentifier = (): DemarcError =>
  new DemarcError('BAD_REQUEST', 'send phone_number, email or external_id');

const mergeSchema = z.strictObject({
  primary_contact_id: z.string().min(1).max(64).meta({ description: 'The contact that stays.' }),
  duplicate_contact_id: z.string().min(1).max(64).meta({ description: 'The contact that goes into it.' }),
});

/** `/contacts`: list, find, resolve, read, change, merge. */
export function contactRoutes(server: ApiServer, deps: ContactsDeps): void {
  const { database } = deps;

  server.get(
    '/contacts',
    {
      schema: {
        operationId: 'listContacts',
        tags,
        summary: 'List and search contacts',
        description: 'Newest first, without their memories.',
        querystring: listQuery,
        response: listAnswers(
          z.object({ contacts: z.array(contactSummarySchema).meta({ description: 'The contacts.' }) }),
        ),
      },
    },
    async (request) => {
      const { query, caller } = request;
      const { contacts, next } = await request.inTurn(() =>
        listContacts(database, caller.organizationId, query),
      );
      return listed({ contacts }, next);
    },
  );

  server.get(
    '/contacts/:contact_id',
    {
      config: { acceptsCallToken: true },
      schema: {
        operationId: 'getContact',
        errors: ['NOT_FOUND', 'TOO_MANY_CONTACTS'],
        tags,
        summary: 'Get a contact with its memories',
        description:
          'Identifiers, and what each persona remembers. The agent of a call reads its contact with the call’s token.',
        params: contactPath,
        response: answers(contactSchema),
      },
    },
    async ({ params, caller }) => {
      const id =
        caller.call === undefined
          ? params.contact_id
          : await contactOfCall(deps, caller.call, params.contact_id);
      return success(await readContact(database, caller.organizationId, id));
    },
  );

  server.post(
    '/contacts/find',
    {
      config: { access: 'read' },
      schema: {
        operationId: 'findContact',
        errors: ['BAD_REQUEST'],
        tags,
        summary: 'Find a contact by an identifier',
        description:
          'With several identifiers, the contact of the first one that any contact has, in the order phone_number, email, external_id. `data` is null if there is none.',
        body: z.strictObject(identifierFields),
        example: { phone_number: '+14155550100' },
        response: answers(contactSchema.nullable()),
      },
    },
    async ({ body, caller }) => {
      const identifiers = identifiersIn(body);
      if (identifiers.length === 0) throw noIdentifier();
      const id = await findContact(database, caller.organizationId, identifiers);
      if (id === undefined) return success(null);
      const found = readContact(database, caller.organizationId, id);
      // It may be deleted in between.
      return success(
        await found.catch((error: unknown) => {
          if (error instanceof DemarcError && error.code === 'NOT_FOUND') return null;
          throw error;
        }),
      );
    },
  );

  server.post(
    '/contacts/resolve',
    {
      schema: {
        operationId: 'resolveContact',
        errors: ['BAD_REQUEST', 'CONTACT_IDENTIFIER_TAKEN', 'TOO_MANY_CONTACTS'],
        tags,
        summary: 'Find or create a contact',
        description:
          'A contact that exists gets the identifiers that it lacks, and the name if it has none; metadata is merged. Calls create the contacts of their callers and callees themselves. With persona_id or agent_number, the memory of that persona or number is created too.',
        body: z.strictObject({
          ...identifierFields,
          name: nameSchema.optional(),
          persona_id: agentReferenceSchema
            .optional()
            .meta({ description: 'Creates the memory of this persona.' }),
          agent_number: phoneSchema
            .optional()
            .meta({ description: 'Creates the memory of the agent of this number, E.164 with +.' }),
          metadata: metadataSchema.optional(),
        }),
        example: { phone_number: '+14155550100', name: 'Jane Doe', metadata: { plan: 'gold' } },
        response: answers(
          z.object({
            contact: contactSchema,
            created: z.boolean().meta({ description: 'False: it existed.' }),
          }),
        ),
      },
    },
    async ({ body, caller }) => {
      const { persona_id, agent_number, name, metadata, ...given } = body;
      const { organizationId } = caller;
      const identifiers = identifiersIn(given);
      if (identifiers.length === 0) throw noIdentifier();
      const agentNumber =
        agent_number === undefined ? null : requireContactNumber(agent_number, 'agent_number');
      const { id, created } = await resolveContact(database, organizationId, identifiers, { name, metadata });
      if (persona_id !== undefined || agentNumber !== null) {
        await database.transaction().execute(async (transaction) => {
          const [locked] = await lockContacts(transaction, organizationId, [id]);
          const rememberer = { personaId: persona_id ?? '', agentNumber };
          await ensureMemory(transaction, organizationId, locked!, rememberer);
        });
      }
      return success({ contact: await readContact(database, organizationId, id), created });
    },
  );

  server.patch(
    '/contacts/:contact_id',
    {
      schema: {
        operationId: 'updateContact',
        errors: ['NOT_FOUND', 'CONTACT_IDENTIFIER_TAKEN'],
        tags,
        summary: 'Change a contact',
        description:
          'Omitted fields keep their value. `email` and `external_id` replace the primary one; null removes it.',
        params: contactPath,
        body: z.strictObject({
          name: nameSchema.optional(),
          email: emailSchema.nullable().optional(),
          external_id: externalIdSchema.nullable().optional(),
          metadata: metadataSchema.optional(),
        }),
        example: { name: 'Jane Doe', email: 'jane.doe@example.com', metadata: { plan: null } },
        response: answers(contactSchema),
      },
    },
    async ({ params, body, caller }) => {
      const id = await updateContact(database, caller.organizationId, params.contact_id, body);
      return success(await readContact(database, caller.organizationId, id));
    },
  );

  server.post(
    '/contacts/merge',
    {
      schema: {
        operationId: 'mergeContacts',
        errors: ['NOT_FOUND', 'BAD_REQUEST'],
        tags,
        summary: 'Merge two contacts',
        description:
          'The primary contact gets the other one’s identifiers, memories and messages; where both have a value, the primary’s stays. The other id leads to the primary from then on, and the other contact, as it was, is kept in the history (`GET /v1/contacts/{contact_id}/merges`). Merging two that were merged already changes nothing.',
        body: mergeSchema,
        example: {
          primary_contact_id: '0d1f3c5a-7b7e-5f5e-9f0a-0c1d2e3f4a5b',
          duplicate_contact_id: '5a0b1c2d-3e4f-5a6b-8c7d-9e0f1a2b3c4d',
        },
        response: answers(contactSchema),
      },
    },
    async ({ body, caller }) => {
      const { organizationId, keyId } = caller;
      const id = await mergeContacts(database, {
        organizationId,
        keyId,
        primaryId: body.primary_contact_id,
        duplicateId: body.duplicate_contact_id,
      });
      return success(await readContact(database, organizationId, id));
    },
  );
}
