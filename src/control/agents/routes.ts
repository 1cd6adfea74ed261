import { z } from 'zod';
import { agentReferenceSchema, maximumTools } from '../../contract/commands.js';
import type { ApiServer, ControlDeps } from '../http/api-server.js';
import { answers, listAnswers, listed, success } from '../http/envelope.js';
import { maximumMetadataOctets, metadataSchema } from '../http/metadata.js';
import { pageLimit, pageOf, pageStart } from '../http/query.js';
import { readKnowledge } from '../knowledge/index.js';
import {
  type AgentRow,
  type AgentValues,
  changeAgent,
  createAgent,
  deleteAgent,
  maximumAgents,
  readAgent,
  readAgents,
} from './agent-storage.js';

const tags = ['Personas'];

const fields = {
  tools: z
    .array(agentReferenceSchema)
    .max(maximumTools)
    .optional()
    .meta({
      description: `Ids of knowledge bases (UUIDs) and of tools, in any order; at most ${maximumTools}.`,
      examples: [['4b0c9a52-6f1e-4f0a-9d0e-0d6f3f1b2c3d', 'TL-book-appointment']],
    }),
  metadata: metadataSchema
    .nullable()
    .optional()
    .meta({
      description: `Your data, returned unchanged; null clears it. At most ${maximumMetadataOctets} octets of JSON.`,
    }),
};
const values = z.strictObject(fields);

const path = z.strictObject({
  agent_id: z.string().min(1).max(64).meta({ description: 'Id of the agent.' }),
});

const agentSchema = z
  .object({
    agent_id: z.string().meta({ description: 'Id of the agent, a UUID.' }),
    tools: z.array(z.string()).meta({ description: 'Ids of knowledge bases and tools, as they were sent.' }),
    kb_ids: z.array(z.string()).meta({ description: 'The knowledge bases among them, UUIDs.' }),
    metadata: z
      .record(z.string(), z.unknown())
      .nullable()
      .meta({ description: 'Your data, returned unchanged; null: not set.' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'WebAgent' });

const view = (row: AgentRow): z.infer<typeof agentSchema> => ({
  agent_id: row.id,
  tools: row.tools,
  kb_ids: row.kb_ids,
  metadata: row.metadata,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

const shown = (row: AgentRow) => ({ ...success(view(row)), agent: view(row) });
/** `data` and `agent` are the same; `agent` belongs to the public shape. */
const agentAnswers = {
  ...answers(agentSchema),
  200: answers(agentSchema)[200].extend({
    agent: agentSchema.meta({ description: 'The same as `data`.' }),
  }),
};

/** `/agents`: web agents, and the knowledge and tools that are attached to them. */
export function agentRoutes(server: ApiServer, { database }: ControlDeps): void {
  /** The values with the knowledge among the tools. Throws `InvalidRequest` for knowledge that does not exist. */
  const checked = async (organizationId: string, body: z.infer<typeof values>): Promise<AgentValues> => {
    if (body.tools === undefined) return body;
    const lists = [{ ids: body.tools, path: 'tools' }];
    const [kbIds] = await readKnowledge(database, organizationId, lists);
    return { ...body, kbIds };
  };

  server.post(
    '/agents',
    {
      schema: {
        operationId: 'createAgent',
        errors: ['TOO_MANY_AGENTS'],
        tags,
        summary: 'Create a web agent',
        description: `Stores a list of knowledge bases and tools under an id, for programs that keep it here. Demarc does not run web agents: no call, search or token uses the list, and GET returns it. Agents of calls get theirs from personas, pathways and orders. At most ${maximumAgents} per organization.`,
        body: values,
        example: { tools: ['TL-book-appointment'], metadata: { site: 'shop' } },
        response: agentAnswers,
      },
    },
    async ({ body, caller, operationId }) => {
      const { organizationId } = caller;
      const agent = await checked(organizationId, body);
      return shown(await createAgent(database, organizationId, operationId, agent));
    },
  );

  server.get(
    '/agents',
    {
      schema: {
        operationId: 'listAgents',
        tags,
        summary: 'List web agents',
        description: 'Newest first.',
        querystring: z.strictObject({ limit: pageLimit(100, 50), after: pageStart.after }),
        response: listAnswers(
          z.object({ agents: z.array(agentSchema).meta({ description: 'The agents.' }) }),
        ),
      },
    },
    async ({ query, caller }) => {
      const { rows, next } = pageOf(await readAgents(database, caller.organizationId), query);
      return listed({ agents: rows.map(view) }, next);
    },
  );

  server.get(
    '/agents/:agent_id',
    {
      schema: {
        operationId: 'getAgent',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Get a web agent',
        description: 'With its knowledge bases and tools.',
        params: path,
        response: agentAnswers,
      },
    },
    async ({ params, caller }) => shown(await readAgent(database, caller.organizationId, params.agent_id)),
  );

  server.post(
    '/agents/:agent_id',
    {
      schema: {
        operationId: 'updateAgent',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Change a web agent',
        description: '`tools` replaces the whole list. Omitted fields keep their value.',
        params: path,
        body: values,
        example: { tools: ['TL-book-appointment', 'TL-cancel-appointment'] },
        response: agentAnswers,
      },
    },
    async ({ params, body, caller }) => {
      const { organizationId } = caller;
      const agent = await checked(organizationId, body);
      return shown(await changeAgent(database, organizationId, params.agent_id, agent));
    },
  );

  server.delete(
    '/agents/:agent_id',
    {
      schema: {
        operationId: 'deleteAgent',
        errors: ['NOT_FOUND'],
        tags,
        summary: 'Delete a web agent',
        description: 'Its knowledge bases stay.',
        params: path,
        response: answers(z.object({ agent_id: z.string(), deleted: z.literal(true) })),
      },
    },
    async ({ params, caller }) => {
      await deleteAgent(database, caller.organizationId, params.agent_id);
      return success({ agent_id: params.agent_id, deleted: true as const });
    },
  );
}
