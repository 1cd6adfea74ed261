import type { Redis } from '../../base/redis.js';
import { agentStreamSchema } from '../../contract/agent-stream.js';
import { usedTestTokenKey } from '../../contract/keys.js';
import { type NumberDocument, numberDocumentSchema } from '../../contract/number.js';
import type { SecretBox } from '../../contract/secret.js';
import { numberlessUser, readTestGrant, type TestGrant, testTokenHeader } from '../../contract/test-grant.js';
import type { InboundRequest, Refusal } from './admission.js';
import type { CallerVerdict } from './caller.js';
import { refuse } from './refusal.js';

type Read = { readonly grant: TestGrant } | { readonly refusal: Refusal };

/** The calls that tokens have let in: an overheard token admits no second call, at any edge. */
export class UsedGrants {
  /** Call-ID → when the token expires, Unix seconds; the oldest first. */
  private readonly used = new Map<string, number>();

  /** @param redis shared by all edges; while it is down, each edge knows its own calls alone */
  constructor(private readonly redis: Pick<Redis, 'set'> | undefined) {}

  /** @returns false: it was used before. Never rejects. */
  async use({ sip_call_id: callId, expires_at: expiresAt }: TestGrant, now: number): Promise<boolean> {
    for (const [usedId, end] of this.used) {
      if (end * 1_000 > now) break;
      this.used.delete(usedId);
    }
    if (this.used.has(callId)) return false;
    this.used.set(callId, expiresAt);
    if (this.redis === undefined) return true;
    const seconds = Math.max(1, Math.ceil(expiresAt - now / 1_000));
    try {
      return (await this.redis.set(usedTestTokenKey(callId), '', 'EX', seconds, 'NX')) === 'OK';
    } catch {
      return true;
    }
  }
}

/** The grant of an INVITE with the token of an agent test; undefined: it has none, and is any caller's. */
export async function readTestCaller(
  request: InboundRequest,
  secrets: Pick<SecretBox, 'isSignature'>,
  used: UsedGrants,
  now: number,
): Promise<Read | undefined> {
  const token = request.header(testTokenHeader);
  if (token === undefined) return undefined;
  const grant = readTestGrant(secrets, token, now);
  if (grant === 'invalid')
    return notAllowed('is not valid; control and the edge need the same DEMARC_SECRET_KEY');
  if (grant === 'expired') return notAllowed('has expired; compare the clocks of control and the edge');
  if (grant.sip_call_id !== request.callId) return notAllowed('belongs to another call');
  if ((grant.number ?? numberlessUser) !== request.calledUser) return notAllowed('is for another number');
  if (!(await used.use(grant, now))) return notAllowed('was used before');
  return { grant };
}

const notAllowed = (what: string): Read => ({
  refusal: refuse('source_not_allowed', 'refused_source', { detail: `The token of the agent test ${what}.` }),
});

/** The configuration of an agent that is tested without a number. */
export const numberlessDocument = ({ organization }: TestGrant): NumberDocument =>
  numberDocumentSchema.parse({
    version: 1,
    number: numberlessUser,
    organization,
    updated_at: new Date(0).toISOString(),
    inbound: [{ id: 'agent-test' }],
  });

/** Calls the number's first agent, unless the test names another. */
export function admitTestCaller(grant: TestGrant, document: NumberDocument): CallerVerdict {
  const [inbound] = document.inbound;
  if (inbound !== undefined && document.organization === grant.organization) return { ok: true, inbound };
  const detail = `The agent test is of another organization than ${document.number}.`;
  return { ok: false, refusal: refuse('source_not_allowed', 'refused_source', { detail }) };
}

/** The number's configuration with the version under test. A persona under test brings its own pathway and voice. */
export function withTestedVersion(document: NumberDocument, grant: TestGrant): NumberDocument {
  const { persona, pathway = null, pathway_knowledge_ids, voice } = grant;
  const streams = grant.stream === undefined ? undefined : [agentStreamSchema.parse(grant.stream)];
  const inbound = document.inbound.map((each) => (streams === undefined ? each : { ...each, streams }));
  const tested = { ...document, inbound };
  if (persona === null && pathway === null) return tested;
  return {
    ...tested,
    pathway: pathway ?? undefined,
    pathway_knowledge_ids,
    ...(persona === null ? {} : { persona, voice: voice ?? undefined }),
  };
}
