import { z } from 'zod';
import type { ControlDeps, RouteGroup } from '../../http/api-server.js';
import { answers, listAnswers, listed, success } from '../../http/envelope.js';
import { oneLine } from '../../http/one-line.js';
import { e164, readPhoneNumber } from '../../http/phone-number.js';
import { pageLimit, pageStart } from '../../http/query.js';
import { trunkTags as tags } from '../../http/tags.js';
import { InvalidRequest } from '../../http/validation.js';
import { warningsSchema } from '../../numbers/warnings.js';
import { type Sections, sectionFields, storedSections } from '../advanced.js';
import { directionSchema, numberToAttachSchema } from '../direction-schema.js';
import { attachedSchema } from '../views.js';
import type { StoredSections } from './tables.js';
import {
  attachToTrunk,
  changeTrunk,
  createTrunk,
  deleteTrunk,
  readNumbersOf,
  readTrunk,
  readTrunks,
  unknownTrunk,
} from './trunk-storage.js';
import { trunkSchema, trunkView } from './trunk-view.js';

const directions = z.array(directionSchema).min(1).max(10).meta({
  description:
    'As in POST /v1/sip/attach. In a PATCH the list replaces the current one; a password sent as [redacted] keeps its value',
});
const name = oneLine(200).meta({ description: 'Free text, at most 200 characters' });
const { failover_config: _, ...inboundFields } = sectionFields;
const inbound = z.strictObject(inboundFields).optional().meta({
  description: 'Codecs, alerts, limits and transfers of calls to the numbers; null clears a section',
});
const outbound = z.strictObject(sectionFields).optional().meta({
  description:
    'Failover, codecs, alerts, limits and transfers of calls from the numbers; null clears a section',
});

const creation = z.strictObject({ name: name.default(''), directions, inbound, outbound });
const change = z.strictObject({
  name: name.optional(),
  directions: directions.optional(),
  inbound,
  outbound,
});

const path = z.strictObject({
  trunk_id: z.string().min(1).max(64).meta({ description: 'trunk_id of the trunk' }),
});
const passwordForPbx = z.string().nullable().meta({
  description: 'Password to set in your PBX; returned only once, when the registration is new or changed',
});

const sectionsOf = (
  settings: ControlDeps['settings'],
  sections: Sections | undefined,
  field: string,
): StoredSections | undefined => sections && storedSections(settings, sections, `${field}.`);

/** `/v1/trunks`: SIP connections that many numbers share. */
export const sharedTrunkRoutes: RouteGroup = (server, deps) => {
  const { database, settings } = deps;

  server.post(
    '/trunks',
    {
      schema: {
        operationId: 'createTrunk',
        errors: ['SECRET_KEY_MISSING'],
        tags,
        summary: 'Create a shared trunk',
        description: 'Its limits apply to all its numbers together. Attach numbers to it afterwards.',
        body: creation,
        example: {
          name: 'Headquarters',
          directions: [
            { type: 'inbound', allowed_ips: ['203.0.113.0/24'] },
            { type: 'outbound', sip_endpoint: 'sip:pbx.example.com:5061;transport=tls' },
          ],
          outbound: { limits: { concurrent_calls: 30 } },
        },
        response: answers(trunkSchema.extend({ register_password_for_pbx: passwordForPbx })),
      },
    },
    async ({ body, caller, operationId }) => {
      const values = {
        ...body,
        inbound: sectionsOf(settings, body.inbound, 'inbound') ?? {},
        outbound: sectionsOf(settings, body.outbound, 'outbound') ?? {},
      };
      const id = `trk_${operationId.replaceAll('-', '')}`;
      const { trunk, newPassword } = await createTrunk(deps, caller.organizationId, id, values);
      return success({ ...trunkView({ trunk, numberCount: 0 }), register_password_for_pbx: newPassword });
    },
  );

  server.get(
    '/trunks',
    {
      schema: {
        operationId: 'listTrunks',
        tags,
        summary: 'List shared trunks',
        description: 'Newest first. Numbers with their own configurations are only in GET /v1/sip/numbers.',
        querystring: z.strictObject({
          limit: pageLimit(100, 50),
          after: pageStart.after,
        }),
        response: listAnswers(z.object({ trunks: z.array(trunkSchema).meta({ description: 'The trunks' }) })),
      },
    },
    async ({ query, caller }) => {
      const page = await readTrunks(database, caller.organizationId, query);
      if (page === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
      const next = page.hasMore ? (page.rows.at(-1)?.trunk.id ?? null) : null;
      return listed({ trunks: page.rows.map(trunkView) }, next);
    },
  );

  server.get(
    '/trunks/:trunk_id',
    {
      schema: {
        operationId: 'getTrunk',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a shared trunk',
        description: 'Passwords are not returned.',
        params: path,
        response: answers(trunkSchema),
      },
    },
    async ({ params, caller }) => {
      const found = await readTrunk(database, caller.organizationId, params.trunk_id);
      if (found === undefined) throw unknownTrunk();
      return success(trunkView(found));
    },
  );

  server.patch(
    '/trunks/:trunk_id',
    {
      schema: {
        operationId: 'updateTrunk',
        errors: ['NOT_FOUND', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Change a shared trunk and all its numbers',
        description:
          'Omitted fields keep their value. All numbers of the trunk change together, from the next call on; active calls continue.',
        params: path,
        body: change,
        example: { outbound: { limits: { concurrent_calls: 60 } } },
        response: answers(
          trunkSchema.extend({ register_password_for_pbx: passwordForPbx, warnings: warningsSchema }),
        ),
      },
    },
    async ({ params, body, caller }) => {
      const changes = {
        ...body,
        inbound: sectionsOf(settings, body.inbound, 'inbound'),
        outbound: sectionsOf(settings, body.outbound, 'outbound'),
      };
      const changed = await changeTrunk(deps, caller.organizationId, params.trunk_id, changes);
      return success({
        ...trunkView(changed),
        register_password_for_pbx: changed.newPassword,
        warnings: [],
      });
    },
  );

  server.delete(
    '/trunks/:trunk_id',
    {
      schema: {
        operationId: 'deleteTrunk',
        errors: ['NOT_FOUND', 'TRUNK_IN_USE'],
        tags,
        summary: 'Delete a shared trunk',
        description: 'Refused (409) while numbers use it.',
        params: path,
        response: answers(z.object({ trunk_id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deleteTrunk(database, caller.organizationId, params.trunk_id);
      return success({ trunk_id: params.trunk_id, deleted: true as const });
    },
  );

  server.post(
    '/trunks/:trunk_id/numbers',
    {
      schema: {
        operationId: 'attachNumbersToTrunk',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Attach numbers to a shared trunk',
        description:
          'Replaces a number’s own configurations or its former trunk in one step. Remove numbers with POST /v1/sip/detach.',
        params: path,
        body: z.strictObject({ phone_numbers: z.array(numberToAttachSchema).min(1).max(100) }),
        example: { phone_numbers: ['+14155550100', '+14155550101'] },
        response: answers(attachedSchema),
      },
    },
    async ({ params, body, caller }) =>
      success(await attachToTrunk(deps, caller.organizationId, params.trunk_id, body.phone_numbers)),
  );

  server.get(
    '/trunks/:trunk_id/numbers',
    {
      schema: {
        operationId: 'listNumbersOfTrunk',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'List the numbers of a shared trunk',
        description: 'E.164 with +.',
        params: path,
        querystring: z.strictObject({
          limit: pageLimit(1_000, 100),
          after: pageStart.after,
        }),
        response: listAnswers(z.object({ phone_numbers: z.array(z.string()) })),
      },
    },
    async ({ params, query, caller }) => {
      const { trunk_id: id } = params;
      if ((await readTrunk(database, caller.organizationId, id)) === undefined) throw unknownTrunk();
      const after = query.after === undefined ? undefined : readPhoneNumber(query.after);
      const page = await readNumbersOf(database, id, { limit: query.limit, after });
      const numbers = page.numbers.map(e164);
      return listed({ phone_numbers: numbers }, page.hasMore ? (numbers.at(-1) ?? null) : null);
    },
  );
};
