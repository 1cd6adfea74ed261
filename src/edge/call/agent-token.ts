import { callTokenHeader, maximumGraceSeconds, signCallToken } from '../../contract/call-token.js';
import {
  type FollowedPathway,
  maximumKnowledgeBases,
  type NumberDocument,
  type NumberPersona,
} from '../../contract/number.js';
import { SecretError } from '../../contract/secret.js';
import type { Call } from './call.js';

/** What the agent of a call knows: of the number's document, or of the order. */
export interface AgentKnowledge {
  /** Of an order from before versions: an id alone. */
  readonly persona?:
    | { readonly id: string | undefined; readonly version: NumberPersona['version'] | undefined }
    | undefined;
  /** The version that the call follows. */
  readonly pathway?:
    | { readonly id: string | undefined; readonly version: FollowedPathway['version'] | undefined }
    | undefined;
  readonly voice?: string | undefined;
  readonly knowledgeIds?: readonly string[] | undefined;
}

/** What the agent of an inbound call knows. */
export const knowledgeOf = ({
  persona,
  pathway,
  pathway_knowledge_ids: ofPathway = [],
  voice,
}: Pick<NumberDocument, 'persona' | 'pathway' | 'pathway_knowledge_ids' | 'voice'>): AgentKnowledge => ({
  persona,
  pathway,
  voice,
  knowledgeIds: [...new Set([...(persona?.knowledge_ids ?? []), ...ofPathway])].slice(
    0,
    maximumKnowledgeBases,
  ),
});

/**
 * The header with the token of the call for its agent; none without a key to sign it. It expires when the longest call of this
 * kind and the longest time after it are over; control ends it with the call.
 * @param contactId of the other party
 */
export function tokenHeader(
  call: Pick<Call, 'state' | 'deps' | 'log'>,
  { persona, pathway, knowledgeIds = [] }: AgentKnowledge,
  contactId: string | undefined,
): Record<string, string> {
  const { state, deps, log } = call;
  const { organization } = state;
  if (organization === null || !deps.secrets.hasKey) return {};
  const { agentAnswerSeconds, ringSeconds } = deps.settings.call;
  const seconds = agentAnswerSeconds + ringSeconds + state.maximumSeconds + maximumGraceSeconds;
  try {
    const token = signCallToken(deps.secrets, {
      organization,
      callId: state.id,
      ...named('persona', persona),
      ...named('pathway', pathway),
      ...(contactId === undefined ? {} : { contactId }),
      knowledgeIds: [...knowledgeIds],
      expiresAt: Math.ceil(Date.now() / 1_000) + seconds,
    });
    return { [callTokenHeader]: token };
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    log.warn(
      { error: error.message },
      'The call has no token: its agent cannot reach knowledge, persona and contact.',
    );
    return {};
  }
}

/** Under the name; nothing for a subject without a version. */
const named = <Name extends string>(
  name: Name,
  subject: AgentKnowledge['persona'],
): { readonly [Key in Name]?: { readonly id: string; readonly version: number } } =>
  subject?.id === undefined || subject.version === undefined
    ? {}
    : ({ [name]: { id: subject.id, version: subject.version } } as Record<
        Name,
        { readonly id: string; readonly version: number }
      >);
