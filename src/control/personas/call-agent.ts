import type { CallCommand } from '../../contract/commands.js';
import { maximumKnowledgeBases, type NumberDocument } from '../../contract/number.js';
import { InvalidRequest } from '../http/validation.js';
import { agentForEdges, type StoredAgent } from '../numbers/agent-streams.js';
import type { PathwayReference, PathwayToFollow } from '../pathways/index.js';

/** What an order to call says of its agent. */
export interface AgentOfOrder {
  readonly personaId: string | undefined;
  readonly pathwayId: string | undefined;
  readonly pathwayVersion: number | undefined;
  readonly tools: readonly string[] | undefined;
  /** Of the order within the request, with a dot at its end; empty: the request itself. */
  readonly path: string;
}

/** The live version of a persona. */
export interface LivePersona {
  readonly id: string;
  /** Null: never promoted. */
  readonly version: number | null;
  readonly kbIds: readonly string[];
  /** Undefined: its calls follow none. */
  readonly pathway: Omit<PathwayReference, 'organizationId'> | undefined;
  readonly voice: string | undefined;
  readonly agent: StoredAgent | null;
}

/** Throws `InvalidRequest` for a persona that does not exist, is deleted or was never promoted. */
export function requireLive(
  { personaId, path }: Pick<AgentOfOrder, 'personaId' | 'path'>,
  found: LivePersona | undefined,
): void {
  if (personaId === undefined) return;
  const field = `${path}persona_id`;
  if (found === undefined)
    throw InvalidRequest.at(field, `${personaId} is not one of your personas, or is deleted.`);
  if (found.version === null) {
    const advice = `promote its draft first (POST /v1/personas/${personaId}/versions/promote).`;
    throw InvalidRequest.at(field, `The persona ${personaId} has no live version: ${advice}`);
  }
}

/** Throws `InvalidRequest` for a call that would have too many knowledge bases. @param path of the order */
export function requireFewBases(path: string, ...lists: readonly (readonly string[])[]): void {
  const all = new Set(lists.flat());
  if (all.size <= maximumKnowledgeBases) return;
  const message = `The persona, the pathway and tools name ${all.size} knowledge bases together; a call can have at most ${maximumKnowledgeBases}.`;
  throw InvalidRequest.at(`${path}tools`, message);
}

/** The pathway that a call follows: the order's own takes precedence. */
export function pathwayOf(
  { organization: organizationId, pathway_id: id, pathway_version: version }: Omit<CallCommand, 'expires_at'>,
  persona: LivePersona | undefined,
): PathwayReference | undefined {
  if (id !== undefined) return { organizationId, id, version: version ?? null };
  return persona?.pathway === undefined ? undefined : { organizationId, ...persona.pathway };
}

/** The command with what its persona and pathway are now. */
export function withVersions<Command extends Omit<CallCommand, 'expires_at'>>(
  command: Command,
  persona: LivePersona | undefined,
  pathway: PathwayToFollow | undefined,
  signing: readonly string[],
): Command {
  const { knowledge_ids: own = [] } = command;
  // An order from before personas names one that Demarc does not know.
  const published = persona?.version == null ? undefined : { ...persona, version: persona.version };
  const voice = command.voice ?? published?.voice;
  const all = [...(published?.kbIds ?? []), ...(pathway?.knowledgeIds ?? []), ...own];
  const knowledge = [...new Set(all)].slice(0, maximumKnowledgeBases);
  return {
    ...command,
    ...(published === undefined ? {} : { persona_id: published.id, persona_version: published.version }),
    ...(pathway === undefined ? {} : { pathway_id: pathway.id, pathway_version: pathway.version }),
    ...(voice === undefined ? {} : { voice }),
    ...(knowledge.length === 0 ? {} : { knowledge_ids: knowledge }),
    // The order's own agent is the more specific one.
    ...(published?.agent == null || command.agent_uri !== undefined
      ? {}
      : agentForEdges(published.agent, signing)),
  };
}

/** What a number's document says of its agent. */
export type NumberAgent = Pick<NumberDocument, 'persona' | 'pathway' | 'pathway_knowledge_ids' | 'voice'> & {
  /** Of the persona; null: that of the number. */
  readonly agent: StoredAgent | null;
};

/** The live version of the persona that answers a number. */
interface AnsweringPersona {
  readonly id: string;
  readonly version: number;
  readonly knowledge: readonly string[];
  readonly voice: string | null;
  readonly agent: StoredAgent | null;
}

/** Undefined: none answers it, or its calls follow none. */
export const numberAgent = (
  persona: AnsweringPersona | undefined,
  pathway: PathwayToFollow | undefined,
): NumberAgent => ({
  ...documentedPathway(pathway),
  ...(persona === undefined ? {} : documentedPersona(persona)),
  agent: persona?.agent ?? null,
});

const documentedPersona = ({ id, version, knowledge, voice }: AnsweringPersona) => ({
  persona: { id, version, ...(knowledge.length === 0 ? {} : { knowledge_ids: [...knowledge] }) },
  ...(voice === null ? {} : { voice }),
});

function documentedPathway(pathway: PathwayToFollow | undefined): Omit<NumberAgent, 'agent'> {
  if (pathway === undefined) return {};
  const { id, version, knowledgeIds } = pathway;
  const knowledge = knowledgeIds.slice(0, maximumKnowledgeBases);
  return {
    pathway: { id, version },
    ...(knowledge.length === 0 ? {} : { pathway_knowledge_ids: knowledge }),
  };
}
