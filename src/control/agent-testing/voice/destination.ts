import type { Kysely } from 'kysely';
import type { TestGrant } from '../../../contract/test-grant.js';
import { DemarcError } from '../../../errors.js';
import { parseUri } from '../../../sip/uri.js';
import type { Database } from '../../database/tables.js';
import { readPhoneNumber } from '../../http/phone-number.js';
import { personas } from '../../personas/index.js';
import { RunFailure, type TestSubject } from '../conversation/channel.js';

export type Destination = Pick<TestGrant, 'number' | 'agent_uri' | 'persona'>;

/** The number and agent that a run by voice calls. Rejects with `RunFailure` where the scenario names none. */
export async function destinationOf(
  database: Kysely<Database>,
  { organizationId, definition, versionNumber }: TestSubject,
): Promise<Destination> {
  const { voice, agent, persona_id: personaId } = definition;
  const persona =
    personaId === null || versionNumber === null
      ? null
      : await personaOf(database, organizationId, personaId, versionNumber);
  const named = voice?.destination;
  const problem = await destinationProblem(database, organizationId, named);
  if (problem !== undefined) throw new RunFailure(`${problem} (voice.destination)`);
  if (named !== undefined && !isSipUri(named))
    return { number: readPhoneNumber(named)!, agent_uri: null, persona };
  const uri = named ?? agent?.sip_uri ?? null;
  const number = personaId === null ? null : await numberOf(database, organizationId, personaId);
  if (uri !== null) return { number, agent_uri: uri, persona };
  if (number !== null) return { number, agent_uri: null, persona };
  throw new RunFailure(
    personaId === null
      ? 'The scenario names no number or SIP URI to call: set voice.destination.'
      : 'No number with an inbound direction has this persona: attach one, or set voice.destination.',
  );
}

const isSipUri = (text: string): boolean => /^sips?:/i.test(text);

/** Why a run could not call that number or SIP URI; undefined: it could. */
export async function destinationProblem(
  database: Kysely<Database>,
  organizationId: string,
  destination: string | undefined,
): Promise<string | undefined> {
  if (destination === undefined) return undefined;
  if (isSipUri(destination))
    return parseUri(destination) === undefined ? `${destination} is not a SIP URI.` : undefined;
  const number = readPhoneNumber(destination);
  if (number === undefined)
    return `${destination} is neither an E.164 number, such as +14155550100, nor a SIP URI, such as sip:agent@example.com.`;
  if (await takesCalls(database, organizationId, number)) return undefined;
  return `${destination} is not a number of yours with an inbound direction: attach it first (POST /v1/sip/attach).`;
}

async function personaOf(
  database: Kysely<Database>,
  organizationId: string,
  id: string,
  versionNumber: number,
): Promise<TestGrant['persona']> {
  try {
    const { version_number: version, kb_ids } = await personas.version(
      database,
      organizationId,
      id,
      versionNumber,
    );
    return { id, version, knowledge_ids: [...kb_ids] };
  } catch (error) {
    if (!(error instanceof DemarcError)) throw error;
    throw new RunFailure(`Version ${versionNumber} of the persona does not exist any more.`, {
      cause: error,
    });
  }
}

const inboundNumbers = (database: Kysely<Database>, organizationId: string) =>
  database
    .selectFrom('numbers')
    .select('numbers.number')
    .where('organization_id', '=', organizationId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('configurations')
          .select('configurations.number')
          .whereRef('configurations.number', '=', 'numbers.number')
          .where('direction', '=', 'inbound'),
      ),
    )
    .orderBy('numbers.number')
    .limit(1);

const takesCalls = async (
  database: Kysely<Database>,
  organizationId: string,
  number: string,
): Promise<boolean> =>
  (await inboundNumbers(database, organizationId).where('numbers.number', '=', number).executeTakeFirst()) !==
  undefined;

const numberOf = async (
  database: Kysely<Database>,
  organizationId: string,
  id: string,
): Promise<string | null> =>
  (await inboundNumbers(database, organizationId).where('persona_id', '=', id).executeTakeFirst())?.number ??
  null;
