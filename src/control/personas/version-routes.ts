import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, envelope, listAnswers, listed, success } from '../http/envelope.js';
import { requireOwnVersion, versionNumberField, versionsQuery } from '../versions/version-fields.js';
import { personas, readPersona } from './persona-storage.js';
import { changedPersonaSchema, personaVersionSchema, personaView, versionView } from './persona-view.js';
import { type PromotionDeps, promoteDraft } from './promotion.js';
import { personaPath, personaTags as tags } from './routes.js';

const versionPath = personaPath.extend({ version_number: versionNumberField });

/** `/personas/{id}/versions`: list, read, promote. */
export function versionRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  promotion: () => Pick<PromotionDeps, 'gates'> & { readonly promoted: () => void },
): void {
  server.get(
    '/personas/:id/versions',
    {
      schema: {
        operationId: 'listPersonaVersions',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'List the versions of a persona',
        description: 'Newest first: the draft, the live version, and all that were live before.',
        params: personaPath,
        querystring: versionsQuery,
        response: listAnswers(
          z.object({ versions: z.array(personaVersionSchema).meta({ description: 'The versions.' }) }),
        ),
      },
    },
    async ({ params, query, caller }) => {
      const page = await personas.versionPage(database, caller.organizationId, params.id, query);
      return listed({ versions: page.versions.map(versionView) }, page.next);
    },
  );

  server.get(
    '/personas/:id/versions/:version_number',
    {
      config: { acceptsCallToken: true },
      schema: {
        operationId: 'getPersonaVersion',
        errors: ['NOT_FOUND', 'CALL_TOKEN_NOT_ACCEPTED'],
        tags,
        summary: 'Get a version of a persona',
        description:
          'Prompts and knowledge as calls got them. The agent of a call reads the version in its X-Demarc-Persona-ID and X-Demarc-Persona-Version with the token of the call.',
        params: versionPath,
        response: answers(personaVersionSchema),
      },
    },
    async ({ params, caller }) => {
      const number = Number(params.version_number);
      requireOwnVersion(caller.call?.persona, caller, params.id, number);
      const row = await personas.version(database, caller.organizationId, params.id, number);
      return success(versionView(row));
    },
  );

  server.post(
    '/personas/:id/versions/promote',
    {
      schema: {
        operationId: 'promotePersona',
        errors: [
          'NOT_FOUND',
          'NO_DRAFT_VERSION',
          'PERSONA_CHANGED',
          'PROMOTION_RUNNING',
          'PROMOTION_REFUSED',
        ],
        tags,
        summary: 'Make the draft of a persona live',
        description:
          'The next call gets it; calls that are active keep theirs. With required scenarios the answer is 202: they run first, and the draft becomes live when all have passed (`promotion`). Of two promotions at the same time one is refused.',
        params: personaPath,
        body: z.strictObject({}).nullish(),
        example: {},
        response: { ...answers(changedPersonaSchema), 202: envelope(changedPersonaSchema) },
      },
    },
    async ({ params, caller }, reply) => {
      const { gates, promoted } = promotion();
      if ((await promoteDraft({ database, gates }, caller, params.id)) === 'testing') reply.code(202);
      promoted();
      const persona = await readPersona(database, caller.organizationId, params.id);
      return success({ ...personaView(persona), warnings: [] });
    },
  );
}
