import type { Kysely, Transaction } from 'kysely';
import type { z } from 'zod';
import { type NumberDocument, numberDocumentSchema } from '../../contract/number.js';
import { readDigestCredentials } from '../agent-credentials/index.js';
import { isUnavailable } from '../database/database.js';
import type { Database } from '../database/tables.js';
import { agentForEdges, type StoredAgent } from '../numbers/agent-streams.js';
import { composeNumberDocuments } from '../numbers/number-documents.js';
import { readSigningSecrets } from '../numbers/stream-secrets.js';
import { readNumberAgents } from '../personas/index.js';
import type { Projected } from './redis-projection.js';

export interface Documents {
  /** Undefined for a number without configuration; one whose document cannot be made is absent. */
  readonly documents: ReadonlyMap<string, NumberDocument | undefined>;
  readonly unusable: readonly { readonly number: string; readonly problem: string }[];
}

/** The present documents of these numbers, checked as edges will check them. One number that cannot be read does not hold up the others. */
export async function readDocuments(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<Documents> {
  const documents = new Map<string, NumberDocument | undefined>();
  const unusable: { number: string; problem: string }[] = [];
  const read = async (some: readonly string[]): Promise<void> => {
    const composed = await composeFor(database, some);
    for (const number of some) {
      const document = composed.get(number);
      const checked = document === undefined ? undefined : numberDocumentSchema.safeParse(document);
      if (checked?.success === false) unusable.push({ number, problem: problemsOf(checked.error) });
      else documents.set(number, checked?.data);
    }
  };
  try {
    await read(numbers);
  } catch (error) {
    if (isOfDatabase(error)) throw error;
    for (const number of numbers) {
      await read([number]).catch((problem: unknown) => {
        if (isOfDatabase(problem)) throw problem;
        unusable.push({ number, problem: problem instanceof Error ? problem.message : String(problem) });
      });
    }
  }
  return { documents, unusable };
}

/** Configurations of numbers with what areas keep for the edges: credentials of agents, and live personas and pathways. */
async function composeFor(
  database: Kysely<Database> | Transaction<Database>,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, NumberDocument>> {
  const documents = await composeNumberDocuments(database, numbers);
  const organizations = [...new Set([...documents.values()].map(({ organization }) => organization))];
  const credentials = await readDigestCredentials(database, organizations);
  const agents = await readNumberAgents(database, [...documents.keys()]);
  const signing = await readSigningSecrets(
    database,
    organizations.filter((id) =>
      [...agents].some(([number, { agent }]) => agent !== null && documents.get(number)?.organization === id),
    ),
  );
  return new Map(
    [...documents].map(([number, document]) => {
      const own = credentials.get(document.organization);
      const { agent = null, ...caller } = agents.get(number) ?? {};
      return [
        number,
        {
          ...document,
          ...(agent === null ? {} : { inbound: answeredBy(document, agent, signing) }),
          ...(own === undefined ? {} : { agent_credentials: [...own] }),
          ...caller,
        },
      ];
    }),
  );
}

/** The agent of a persona takes the calls to its numbers in place of the agents of their directions. */
export function answeredBy(
  { inbound, organization }: Pick<NumberDocument, 'inbound' | 'organization'>,
  agent: StoredAgent,
  signing: ReadonlyMap<string, readonly string[]>,
): NumberDocument['inbound'] {
  const { agent_uri, stream } = agentForEdges(agent, signing.get(organization) ?? []);
  return inbound.map(({ agents: _agents, streams: _streams, ...configuration }) => ({
    ...configuration,
    agent_uri,
    ...(stream === undefined ? {} : { streams: [stream] }),
  }));
}

/** Names the fields, never their values. */
export const problemsOf = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');

/** SQLSTATE or the code of a broken connection, which a row that cannot be read does not have. */
const isOfDatabase = (error: unknown): boolean =>
  isUnavailable(error) || typeof (error as { code?: unknown }).code === 'string';

/** What is to be written: of a number whose document cannot be made the revision only, so that edges keep the earlier one. */
export function projectedOf(
  revisions: readonly { readonly number: string; readonly revision: string }[],
  { documents }: Documents,
): Projected[] {
  return revisions.map(({ number, revision }) => ({
    number,
    revision: Number(revision),
    document: documents.has(number) ? documents.get(number) : 'keep',
  }));
}
