import { z } from 'zod';
import { agentReferenceSchema } from '../../contract/commands.js';
import { maximumKnowledgeBases } from '../../contract/number.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { maximumMetadataOctets, metadataSchema } from '../http/metadata.js';
import { pageLimit, pageStart } from '../http/query.js';
import { InvalidRequest } from '../http/validation.js';
import { voiceField } from '../http/voice.js';
import { namesKnowledge, readKnowledge } from '../knowledge/index.js';
import { agentSchema } from '../numbers/agent-streams.js';
import { maximumNumbersAtOnce } from '../numbers/inbound-numbers.js';
import { checkPathways, pathwayFields } from '../pathways/index.js';
import { attachNumbers, detachNumbers } from './inbound-numbers.js';
import { sealAgent } from './persona-agent.js';
import {
  changePersona,
  createPersona,
  deletePersona,
  maximumPersonas,
  readPersona,
  readPersonas,
} from './persona-storage.js';
import { changedPersonaSchema, personaSchema, personaView } from './persona-view.js';

export const personaTags = ['Personas'];
const tags = personaTags;

const text = (maximum: number) => z.string().max(maximum);
const promptMaximum = 50_000;

const descriptionFields = {
  role: text(200).nullable().optional().meta({ description: 'Its role, free text; null clears it.' }),
  description: text(2_000).nullable().optional().meta({ description: 'Free text; null clears it.' }),
  tags: z.array(text(64).min(1)).max(50).optional().meta({ description: 'Your labels, at most 50.' }),
  metadata: metadataSchema
    .nullable()
    .optional()
    .meta({
      description: `Your data, returned unchanged; null clears it. At most ${maximumMetadataOctets} octets of JSON.`,
    }),
};
const contentFields = {
  kb_ids: z
    .array(agentReferenceSchema)
    .max(maximumKnowledgeBases)
    .optional()
    .meta({
      description: `Knowledge bases that the agent of a call may search, at most ${maximumKnowledgeBases}. UUIDs; \`KB-…\` ids of an earlier system are stored as the UUIDs that they resolve to.`,
      examples: [['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d']],
    }),
  orchestration_prompt: text(promptMaximum)
    .nullable()
    .optional()
    .meta({ description: 'What the agent does in a call; null clears it.' }),
  personality_prompt: text(promptMaximum)
    .nullable()
    .optional()
    .meta({ description: 'How the agent speaks; null clears it.' }),
  agent: agentSchema.nullable().optional().meta({
    description:
      'Agent of its calls, in place of the agent of the number: a SIP URI, a wss:// URL, or an object for a WebSocket server, whose omitted headers keep their values; null clears it.',
  }),
  pathway_id: pathwayFields.pathway_id.unwrap().nullable().optional().meta({
    description:
      'Pathway that the calls of the persona follow, which needs a live version unless `pathway_version` names one; null clears it. A number’s own pathway takes precedence.',
  }),
  pathway_version: pathwayFields.pathway_version.unwrap().nullable().optional().meta({
    description:
      'Number of the pathway’s version, also of a draft or fork, which no gate has tested; null: the version that is live when a call begins.',
  }),
  voice: voiceField.nullable().optional().meta({
    description:
      'Voice that the agent speaks with, passed on to it unchecked as `X-Demarc-Voice`; null clears it.',
  }),
};
const name = text(200).trim().min(1).meta({ description: 'Its name, at most 200 characters.' });
const creation = z.strictObject({ name, ...descriptionFields, ...contentFields });
const change = z.strictObject({ name: name.optional(), ...descriptionFields, ...contentFields });

export const personaPath = z.strictObject({
  id: z.string().min(1).max(64).meta({ description: 'Id of the persona.' }),
});

const numbers = z.strictObject({
  inbound_numbers: z
    .array(z.string().max(64))
    .min(1)
    .max(maximumNumbersAtOnce)
    .meta({
      description: `Your numbers, E.164; at most ${maximumNumbersAtOnce}.`,
      examples: [['+14155550100']],
    }),
});

interface NamedPathway {
  readonly pathway_id?: string | null | undefined;
  readonly pathway_version?: number | null | undefined;
}

/** A version alone is one of the pathway that the draft names. */
async function withPathway(
  database: ControlDeps['database'],
  organizationId: string,
  id: string,
  { pathway_id: pathway, pathway_version: version }: NamedPathway,
): Promise<NamedPathway> {
  if (pathway !== undefined || version === undefined)
    return { pathway_id: pathway, pathway_version: version };
  const { draft, production } = await readPersona(database, organizationId, id);
  return { pathway_id: (draft ?? production)?.pathway_id, pathway_version: version };
}

/** `/personas`: create, list, read, change, delete, and the numbers that they answer. */
export function personaRoutes(server: ApiServer, deps: ControlDeps): void {
  const { database } = deps;
  const shown = async (organizationId: string, id: string) =>
    success(personaView(await readPersona(database, organizationId, id)));
  /** Throws `InvalidRequest`. */
  const checkPathway = (organizationId: string, { pathway_id: id, pathway_version: version }: NamedPathway) =>
    checkPathways(database, organizationId, [
      { id: id ?? undefined, version: version ?? undefined, path: '' },
    ]);
  /** UUIDs of `kb_ids`. Throws `InvalidRequest`. */
  const resolved = async (organizationId: string, ids: readonly string[]): Promise<string[]> => {
    const problem = ids.findIndex((id) => !namesKnowledge(id));
    if (problem >= 0) {
      throw InvalidRequest.at(
        `kb_ids.${problem}`,
        `${ids[problem]} is not the id of a knowledge base, a UUID.`,
      );
    }
    const [knowledge] = await readKnowledge(database, organizationId, [{ ids, path: 'kb_ids' }]);
    return knowledge!;
  };

  server.post(
    '/personas',
    {
      schema: {
        operationId: 'createPersona',
        errors: ['TOO_MANY_PERSONAS', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Create a persona',
        description: `Stores it with a draft, which takes effect once it is promoted (POST /v1/personas/{id}/versions/promote). At most ${maximumPersonas} per organization.`,
        body: creation,
        example: { name: 'Front desk', role: 'Receptionist', tags: ['clinic'] },
        response: answers(personaSchema),
      },
    },
    async ({ body, caller, operationId }) => {
      const { organizationId } = caller;
      const kbIds = await resolved(organizationId, body.kb_ids ?? []);
      const agent = sealAgent(deps, organizationId, body.agent);
      await checkPathway(organizationId, body);
      await createPersona(database, organizationId, operationId, { ...body, kb_ids: kbIds, agent });
      return shown(organizationId, operationId);
    },
  );

  server.get(
    '/personas',
    {
      schema: {
        operationId: 'listPersonas',
        tags,
        summary: 'List personas',
        description: 'Newest first, each with its draft and its live version.',
        querystring: z.strictObject({ limit: pageLimit(100, 50), after: pageStart.after }),
        response: listAnswers(
          z.object({ personas: z.array(personaSchema).meta({ description: 'The personas.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const page = await readPersonas(database, caller.organizationId, query);
      if (page === undefined) throw InvalidRequest.at('after', 'after must be the next of an earlier page.');
      return listed({ personas: page.personas.map(personaView) }, page.next);
    },
  );

  server.get(
    '/personas/:id',
    {
      schema: {
        operationId: 'getPersona',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a persona',
        description: 'With its numbers, its draft and its live version.',
        params: personaPath,
        response: answers(personaSchema),
      },
    },
    ({ params, caller }) => shown(caller.organizationId, params.id),
  );

  server.patch(
    '/personas/:id',
    {
      schema: {
        operationId: 'updatePersona',
        errors: ['NOT_FOUND', 'SECRET_KEY_MISSING'],
        tags,
        summary: 'Change a persona',
        description:
          'kb_ids, prompts and agent change the draft, which is made from the live version if there is none: calls get them after the next promotion. Name, role, description, tags and metadata change at once. Omitted fields keep their value.',
        params: personaPath,
        body: change,
        example: { description: 'Answers calls outside office hours.' },
        response: answers(personaSchema),
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const {
        kb_ids,
        orchestration_prompt,
        personality_prompt,
        agent,
        pathway_id,
        pathway_version,
        voice,
        ...description
      } = body;
      await checkPathway(organizationId, await withPathway(database, organizationId, params.id, body));
      const kbIds = kb_ids === undefined ? undefined : await resolved(organizationId, kb_ids);
      await changePersona(database, organizationId, params.id, {
        description,
        content: {
          kb_ids: kbIds,
          orchestration_prompt,
          personality_prompt,
          agent: sealAgent(deps, organizationId, agent),
          pathway_id,
          pathway_version,
          voice,
        },
      });
      return shown(organizationId, params.id);
    },
  );

  server.delete(
    '/personas/:id',
    {
      schema: {
        operationId: 'deletePersona',
        errors: ['NOT_FOUND', 'PERSONA_IN_USE'],
        tags,
        summary: 'Delete a persona',
        description: 'Detach its numbers first. Calls that are ordered already keep its last live version.',
        params: personaPath,
        response: answers(z.object({ id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deletePersona(database, caller.organizationId, params.id);
      return success({ id: params.id, deleted: true as const });
    },
  );

  for (const [verb, move] of [
    ['attach', attachNumbers],
    ['detach', detachNumbers],
  ] as const) {
    server.post(
      `/personas/:id/inbound/${verb}`,
      {
        schema: {
          operationId: `${verb}PersonaNumbers`,
          errors: ['NOT_FOUND'],
          tags,
          ...texts[verb],
          params: personaPath,
          body: numbers,
          example: { inbound_numbers: ['+14155550100'] },
          response: answers(changedPersonaSchema),
        },
      },
      async ({ params, body, caller }) => {
        await move(database, caller.organizationId, params.id, body.inbound_numbers);
        const persona = await readPersona(database, caller.organizationId, params.id);
        return success({ ...personaView(persona), warnings: [] });
      },
    );
  }
}

const texts = {
  attach: {
    summary: 'Let a persona answer numbers',
    description:
      'All of them or none. The numbers must have an inbound direction; a number of another persona moves to this one. The next call to them gets the live version; before the first promotion, none.',
  },
  detach: {
    summary: 'Detach numbers from a persona',
    description: 'The next call to them has no persona. Numbers that the persona does not have are ignored.',
  },
} as const;
