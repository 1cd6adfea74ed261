import { z } from 'zod';
import { agentStreamSchema } from './agent-stream.js';
import { followedPathwaySchema, maximumKnowledgeBases, voiceSchema } from './number.js';
import type { SecretBox } from './secret.js';

/**
 * What lets the caller of an agent test in: control signs it for one call, the edge verifies it in place of the caller's source
 * or credentials. The call's record names the run, and its figures count neither as usage nor as health.
 */

/** Header of the caller's INVITE; no agent gets it. */
export const testTokenHeader = 'X-Demarc-Test-Token';

/** Header of a refusal of the edge itself to such a call: its `EndReason`. Answers of agents do not have it. */
export const testRefusalHeader = 'X-Demarc-Test-Refusal';

/** Called user of a test whose agent has no number. */
export const numberlessUser = '000';

const grantSchema = z.strictObject({
  organization: z.string().min(1).max(64),
  /** Id of the test run. */
  run_id: z.string().min(1).max(64),
  /** Call-ID of the one INVITE that the token lets in. */
  sip_call_id: z.string().min(1).max(128),
  /** E.164 digits of the called number; null: the agent below has none. */
  number: z
    .string()
    .regex(/^[0-9]{3,15}$/)
    .nullable(),
  /** SIP URI of the agent under test, or the URL of `stream`; null: the number's. */
  agent_uri: z.string().min(5).max(512).nullable(),
  /** The WebSocket server under test. */
  stream: agentStreamSchema.optional(),
  /** The version under test; null: the number's live persona. */
  persona: z
    .strictObject({
      id: z.uuid(),
      version: z.int().min(1),
      knowledge_ids: z.array(z.uuid()).max(maximumKnowledgeBases),
    })
    .nullable(),
  /** The version under test, or the one that calls of the persona under test follow; null: as the number's calls, without a persona under test. */
  pathway: followedPathwaySchema.nullable().default(null),
  pathway_knowledge_ids: z.array(z.uuid()).max(maximumKnowledgeBases).default([]),
  /** Of the persona under test; null: it has none. */
  voice: voiceSchema.nullable().default(null),
  /** Unix seconds. */
  expires_at: z.int().positive(),
});
export type TestGrant = Readonly<z.input<typeof grantSchema>>;

/**
 * What the Request-URI of the caller's INVITE consists of beside the edge's address. By it an overloaded edge knows whose call an INVITE is
 * that it has not read, so it names the organization of an agent without a number: edges of earlier releases take no other user for that.
 */
export const testCallee = ({
  number,
  organization,
}: Pick<TestGrant, 'number' | 'organization'>): {
  readonly number: string;
  readonly uriParameters: string;
} =>
  number === null
    ? { number: numberlessUser, uriParameters: `;organization=${encodeURIComponent(organization)}` }
    : { number, uriParameters: '' };

const purpose = 'agent test';
/** A WebSocket server has parameters, and sealed headers and secrets. */
const tokenPattern = /^([A-Za-z0-9_-]{1,20000})\.([A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{43})$/;

/** Throws `SecretError` without a key. */
export function signTestGrant(secrets: Pick<SecretBox, 'sign'>, grant: TestGrant): string {
  const text = Buffer.from(JSON.stringify(grantSchema.parse(grant))).toString('base64url');
  return `${text}.${secrets.sign(purpose, text)}`;
}

/** @param now Unix milliseconds */
export function readTestGrant(
  secrets: Pick<SecretBox, 'isSignature'>,
  token: string,
  now: number,
): TestGrant | 'invalid' | 'expired' {
  const [, text = '', signature = ''] = tokenPattern.exec(token) ?? [];
  if (text === '' || !secrets.isSignature(signature, purpose, text)) return 'invalid';
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    return 'invalid';
  }
  const grant = grantSchema.safeParse(value).data;
  if (grant === undefined) return 'invalid';
  return grant.expires_at * 1_000 <= now ? 'expired' : grant;
}
