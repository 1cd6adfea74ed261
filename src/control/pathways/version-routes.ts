import { z } from 'zod';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, envelope, listAnswers, listed, success } from '../http/envelope.js';
import { wholeNumber } from '../http/query.js';
import { requireOwnVersion, versionNumberField, versionsQuery } from '../versions/version-fields.js';
import { pathwayDocumentSchema } from './document.js';
import { compareDocuments, documentChangeSchema } from './document-diff.js';
import { checkedDocument, refuseInvalidNodes } from './document-input.js';
import { shownPathway } from './followers.js';
import { pathways } from './pathway-storage.js';
import {
  changedPathwaySchema,
  pathwayVersionSchema,
  pathwayVersionSummarySchema,
  pathwayVersionView,
  versionSummaryView,
} from './pathway-view.js';
import { type PathwayPromotionDeps, promotePathwayVersion } from './promotion.js';
import {
  exampleDocument,
  pathwayBodyLimit,
  pathwayPath,
  revisionField,
  pathwayTags as tags,
} from './routes.js';
import { changeVersion, deleteFork, forkVersion, maximumForks } from './version-storage.js';

const versionPath = pathwayPath.extend({ version_number: versionNumberField });
const path = '/pathways/:id/versions/:version_number';

/** `/pathways/{id}/versions`: list, read, change, compare, fork, promote. */
export function pathwayVersionRoutes(
  server: ApiServer,
  { database }: ControlDeps,
  promotion: () => Pick<PathwayPromotionDeps, 'gates'> & { readonly promoted: () => void },
): void {
  server.get(
    '/pathways/:id/versions',
    {
      schema: {
        operationId: 'listPathwayVersions',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'List the versions of a pathway',
        description:
          'Newest first, without documents: the draft, the live version, forks, and all that were live before.',
        params: pathwayPath,
        querystring: versionsQuery,
        response: listAnswers(
          z.object({
            versions: z.array(pathwayVersionSummarySchema).meta({ description: 'The versions.' }),
          }),
        ),
      },
    },
    async ({ params, query, caller }) => {
      const page = await pathways.versionPage(database, caller.organizationId, params.id, query);
      return listed({ versions: page.versions.map(versionSummaryView) }, page.next);
    },
  );

  server.get(
    path,
    {
      config: { acceptsCallToken: true },
      schema: {
        operationId: 'getPathwayVersion',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a version of a pathway',
        description:
          'With its document, and warnings about probable mistakes. The agent of a call reads the version in its X-Demarc-Pathway-ID and X-Demarc-Pathway-Version with the token of the call.',
        params: versionPath,
        response: answers(pathwayVersionSchema),
      },
    },
    async ({ params, caller }) => {
      const number = Number(params.version_number);
      requireOwnVersion(caller.call?.pathway, caller, params.id, number);
      return success(
        pathwayVersionView(await pathways.version(database, caller.organizationId, params.id, number)),
      );
    },
  );

  server.put(
    path,
    {
      bodyLimit: pathwayBodyLimit,
      preValidation: refuseInvalidNodes,
      schema: {
        operationId: 'replacePathwayDocument',
        errors: ['NOT_FOUND', 'VERSION_NOT_CHANGEABLE', 'PATHWAY_CHANGED'],
        tags,
        summary: 'Replace the document of a draft or fork',
        description: 'Other versions take no changes: fork them, or change the draft.',
        params: versionPath,
        body: z.strictObject({
          document: pathwayDocumentSchema.meta({ description: 'What a conversation follows.' }),
          revision: revisionField,
        }),
        example: { document: exampleDocument },
        response: answers(pathwayVersionSchema),
      },
    },
    async ({ params, body: { document, revision }, caller }) => {
      const { organizationId } = caller;
      const checked = await checkedDocument(database, organizationId, document);
      const row = await changeVersion(database, organizationId, params.id, {
        versionNumber: Number(params.version_number),
        revision,
        change: () => checked,
      });
      return success(pathwayVersionView(row));
    },
  );

  server.delete(
    path,
    {
      schema: {
        operationId: 'deletePathwayFork',
        errors: ['NOT_FOUND', 'VERSION_NOT_CHANGEABLE', 'PATHWAY_IN_USE'],
        tags,
        summary: 'Delete a fork',
        description: 'Only forks can be deleted; other versions are deleted with their pathway.',
        params: versionPath,
        response: answers(z.object({ version_number: z.int(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      const number = Number(params.version_number);
      await deleteFork(database, caller.organizationId, params.id, number);
      return success({ version_number: number, deleted: true as const });
    },
  );

  server.get(
    `${path}/diff`,
    {
      schema: {
        operationId: 'comparePathwayVersions',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Compare two versions of a pathway',
        description: 'The changes that lead from the version in `from` to this one, by node, edge and field.',
        params: versionPath,
        querystring: z.strictObject({
          from: wholeNumber(1, 999_999_999).meta({ description: 'Number of the earlier version.' }),
        }),
        response: answers(
          z.object({
            from_version: z.int().meta({ description: 'Number of the earlier version.' }),
            to_version: z.int().meta({ description: 'Number of the later version.' }),
            changes: z.array(documentChangeSchema).meta({ description: 'The changes; empty: none.' }),
          }),
        ),
      },
    },
    async ({ params, query: { from }, caller }) => {
      const { organizationId } = caller;
      const to = Number(params.version_number);
      const [before, after] = await Promise.all(
        [from, to].map((number) => pathways.version(database, organizationId, params.id, number)),
      );
      return success({
        from_version: from,
        to_version: to,
        changes: compareDocuments(before!.document, after!.document),
      });
    },
  );

  server.post(
    `${path}/fork`,
    {
      schema: {
        operationId: 'forkPathwayVersion',
        errors: ['NOT_FOUND', 'TOO_MANY_FORKS'],
        tags,
        summary: 'Fork a version',
        description: `Copies it to a new version that takes changes beside the draft and can be promoted. At most ${maximumForks} forks per pathway.`,
        params: versionPath,
        body: z
          .strictObject({
            note: z.string().trim().min(1).max(500).optional().meta({ description: 'Why you copy it.' }),
          })
          .nullish(),
        example: { note: 'Try a shorter greeting.' },
        response: answers(pathwayVersionSchema),
      },
    },
    async ({ params, body, caller }) => {
      const row = await forkVersion(database, caller.organizationId, params.id, {
        versionNumber: Number(params.version_number),
        note: body?.note ?? null,
      });
      return success(pathwayVersionView(row));
    },
  );

  server.post(
    '/pathways/:id/versions/promote',
    {
      schema: {
        operationId: 'promotePathway',
        errors: [
          'NOT_FOUND',
          'NO_DRAFT_VERSION',
          'PATHWAY_CHANGED',
          'PROMOTION_RUNNING',
          'PROMOTION_REFUSED',
        ],
        tags,
        summary: 'Make a version of a pathway live',
        description:
          'The draft, a fork, or an archived version again. With required scenarios the answer is 202: they run first, and the version becomes live when all have passed (`promotion`). Of two promotions of a version at the same time one is refused.',
        params: pathwayPath,
        body: z
          .strictObject({
            version_number: z
              .int()
              .min(1)
              .max(999_999_999)
              .optional()
              .meta({ description: 'Number of the version. Default: the draft.' }),
          })
          .nullish(),
        example: {},
        response: { ...answers(changedPathwaySchema), 202: envelope(changedPathwaySchema) },
      },
    },
    async ({ params, body, caller }, reply) => {
      const { gates, promoted } = promotion();
      const outcome = await promotePathwayVersion(
        { database, gates },
        caller,
        params.id,
        body?.version_number,
      );
      if (outcome === 'testing') reply.code(202);
      promoted();
      return success({ ...(await shownPathway(database, caller.organizationId, params.id)), warnings: [] });
    },
  );
}
