import { z } from 'zod';
import { DemarcError } from '../../errors.js';
import { actorOf, noteEvent } from '../audit/audit-log.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { nameOf } from '../http/one-line.js';
import { pageLimit, pageStart } from '../http/query.js';
import { requireOperator } from '../http/roles.js';
import { InvalidRequest } from '../http/validation.js';
import { publishNumbers } from '../numbers/publish-numbers.js';
import { warningsSchema } from '../numbers/warnings.js';
import {
  changeOrganization,
  createOrganization,
  type OrganizationChanges,
} from '../organizations/organizations.js';
import { type OrganizationView, organizationSchema, readOrganizations } from './organization-view.js';

const tags = ['Organizations'];
const longestRetention = 36_500;

export const organizationPath = z.strictObject({
  organization_id: z.string().min(1).max(64).meta({ description: 'organization_id of the organization' }),
});

const limitOf = (maximum: number, description: string) =>
  z.int().min(1).max(maximum).nullable().optional().meta({ description });

export const limitsSchema = z.strictObject({
  concurrent_calls: limitOf(
    100_000,
    'Concurrent calls on all edges together, 1–100,000; null: `DEMARC_ORGANIZATION_MAX_CALLS`.',
  ),
  calls_per_second: limitOf(
    10_000,
    'New calls per second, 1–10,000; null: `DEMARC_ORGANIZATION_CALLS_PER_SECOND`.',
  ),
  call_retention_days: limitOf(
    longestRetention,
    `Days that call records are kept, 1–${longestRetention}, no longer than \`DEMARC_CALL_RETENTION_DAYS\`; null: as long. A lower value deletes older records within the hour.`,
  ),
  minutes_per_month: limitOf(
    1_000_000_000,
    'Minutes of answered calls a calendar month (UTC). Calls above it are not refused; alert contacts are notified at 80 %. Null: none.',
  ),
});

export const organizationName = nameOf(64)
  // Commands take an organization's id or name.
  .regex(/^(?!org_)/i, 'must not begin with org_')
  .meta({ description: 'Name, unique, 1–64 characters; it must not begin with `org_`.' });

export const unknownOrganization = (id: string): DemarcError =>
  new DemarcError('NOT_FOUND', `Organization ${id} not found`);

/** `/operator/organizations`: those who run the service create organizations and set what they may do. */
export function organizationRoutes(server: ApiServer, { database, settings }: ControlDeps): void {
  const view = async (id: string): Promise<OrganizationView> => {
    const [found] = await readOrganizations(database, { id, limit: 1 });
    if (found === undefined) throw unknownOrganization(id);
    return found;
  };

  server.get(
    '/operator/organizations',
    {
      schema: {
        operationId: 'listOrganizations',
        errors: ['OPERATOR_ONLY'],
        tags,
        summary: 'List organizations',
        description: 'For operators only. By name.',
        querystring: z.strictObject({
          q: z
            .string()
            .trim()
            .min(1)
            .max(64)
            .optional()
            .meta({ description: 'Part of the name, or the id.' }),
          limit: pageLimit(200, 50),
          after: pageStart.after,
        }),
        response: listAnswers(
          z.object({
            organizations: z.array(organizationSchema).meta({ description: 'The organizations.' }),
          }),
        ),
      },
    },
    async ({ query, caller }) => {
      requireOperator(caller);
      const rows = await readOrganizations(database, query);
      const organizations = rows.slice(0, query.limit);
      return listed(
        { organizations },
        rows.length > query.limit ? organizations.at(-1)!.organization_id : null,
      );
    },
  );

  server.post(
    '/operator/organizations',
    {
      config: { takesIdempotencyKey: false },
      schema: {
        operationId: 'createOrganization',
        errors: ['OPERATOR_ONLY'],
        tags,
        summary: 'Create an organization',
        description:
          'For operators only. Then invite its first owner, or create a key for it. The name cannot be changed later.',
        body: z.strictObject({
          name: organizationName,
          sip_enabled: z
            .boolean()
            .default(true)
            .meta({ description: 'With the SIP entitlement. Default true.' }),
          region: z
            .string()
            .min(1)
            .max(64)
            .optional()
            .meta({ description: 'Key of `DEMARC_REGIONS`. Default: the first region.' }),
          limits: limitsSchema.optional().meta({ description: 'Limits in place of those of the service.' }),
        }),
        example: { name: 'Acme', limits: { concurrent_calls: 50 } },
        response: answers(organizationSchema),
      },
    },
    async ({ body, caller, ip }) => {
      requireOperator(caller);
      const { name, sip_enabled: sipEnabled, region, limits = {} } = body;
      const regions = settings.regions.map((each) => each.name);
      if (region !== undefined && !regions.includes(region)) {
        throw InvalidRequest.at('region', `region must be one of DEMARC_REGIONS: ${regions.join(', ')}.`);
      }
      const id = await database.transaction().execute(async (transaction) => {
        const created = await createOrganization(transaction, {
          name,
          sipEnabled,
          ...(region === undefined ? {} : { region }),
        }).catch((error: unknown) => {
          if (!(error instanceof DemarcError) || error.code !== 'VALIDATION_ERROR') throw error;
          throw InvalidRequest.at('name', `An organization with the name ${name} already exists.`);
        });
        const changes = changesOf({ limits });
        if (Object.keys(changes).length > 0) await changeOrganization(transaction, created.id, changes);
        // The operator's own log has it as every other change.
        await noteEvent(transaction, {
          organizationId: created.id,
          actor: actorOf(caller),
          action: 'createOrganization',
          summary: 'Create an organization',
          subject: name,
          address: ip,
        });
        return created.id;
      });
      return success(await view(id));
    },
  );

  server.get(
    '/operator/organizations/:organization_id',
    {
      schema: {
        operationId: 'getOrganization',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND'],
        tags,
        summary: 'Get an organization',
        description: 'For operators only.',
        params: organizationPath,
        response: answers(organizationSchema),
      },
    },
    async ({ params, caller }) => {
      requireOperator(caller);
      return success(await view(params.organization_id));
    },
  );

  server.patch(
    '/operator/organizations/:organization_id',
    {
      schema: {
        operationId: 'updateOrganization',
        errors: ['OPERATOR_ONLY', 'NOT_FOUND'],
        tags,
        summary: 'Change the entitlement and limits of an organization',
        description:
          'For operators only. Omitted fields keep their value; null in `limits` restores the value of the service. Active calls continue. Without the SIP entitlement the API and the dashboard refuse the organization; its numbers stay attached and take calls.',
        params: organizationPath,
        body: z.strictObject({
          sip_enabled: z.boolean().optional().meta({ description: 'With the SIP entitlement.' }),
          limits: limitsSchema.optional().meta({ description: 'Limits in place of those of the service.' }),
        }),
        example: { limits: { concurrent_calls: 50, calls_per_second: null } },
        response: answers(organizationSchema.extend({ warnings: warningsSchema })),
      },
    },
    async ({ params, body, caller, ip }) => {
      requireOperator(caller);
      const { organization_id: id } = params;
      const changes = changesOf(body);
      if (Object.keys(changes).length === 0) return success({ ...(await view(id)), warnings: [] });
      await database.transaction().execute(async (transaction) => {
        await changeOrganization(transaction, id, changes);
        if ('concurrent_calls' in changes || 'calls_per_second' in changes) {
          await publishNumbers(transaction, id);
        }
        if (id === caller.organizationId) return;
        await noteEvent(transaction, {
          organizationId: id,
          actor: actorOf(caller),
          action: 'updateOrganization',
          summary: 'Change the entitlement and limits of an organization',
          subject: id,
          fields: Object.keys(changes),
          address: ip,
        });
      });
      return success({ ...(await view(id)), warnings: [] });
    },
  );
}

/** The named fields; null stays, since it restores the value of the service. */
export const changesOf = ({
  sip_enabled,
  limits = {},
}: {
  readonly sip_enabled?: boolean | undefined;
  readonly limits?: z.infer<typeof limitsSchema> | undefined;
}): OrganizationChanges =>
  Object.fromEntries(Object.entries({ sip_enabled, ...limits }).filter(([, value]) => value !== undefined));
