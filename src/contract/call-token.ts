import { z } from 'zod';
import { maximumKnowledgeBases } from './number.js';
import { type SecretBox, SecretError } from './secret.js';

/**
 * The token of one call: what its agent may read and write through the API, as `X-Demarc-Token` of the agent's INVITE and of the
 * agent's requests. The edge signs it, control verifies it; neither stores it.
 */

/** Header of the agent's INVITE and of the agent's requests. */
export const callTokenHeader = 'X-Demarc-Token';

/** How long after its call a token may work at most: part of the expiry that the edge signs. */
export const maximumGraceSeconds = 3_600;

const grantSchema = z.object({
  organization: z.string().min(1).max(64),
  /** `X-Demarc-Call-ID`. */
  callId: z.uuid(),
  /** The persona and the number of its live version when the call began. */
  persona: z.object({ id: z.uuid(), version: z.int().min(1).max(2_147_483_647) }).optional(),
  /** The version of the pathway that the call follows. */
  pathway: z.object({ id: z.uuid(), version: z.int().min(1).max(2_147_483_647) }).optional(),
  /** The other party of the call. */
  contactId: z.uuid().optional(),
  knowledgeIds: z.array(z.uuid()).max(maximumKnowledgeBases),
  /** Unix seconds; the end of the call ends the token earlier. */
  expiresAt: z.int().positive(),
});

/** What a token grants. Ids are UUIDs. */
export type CallGrant = Readonly<z.infer<typeof grantSchema>>;

/** `invalid`: not a token, changed, or signed with a key that is not ours. */
export type CallTokenProblem = 'invalid' | 'expired';

const purpose = 'call token';
const tokenPattern =
  /^([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{1,1400})\.([A-Za-z0-9_-]{8}\.[A-Za-z0-9_-]{43})$/;
const uuidOctets = 16;

/** Everything but the UUIDs, which follow as octets: the call's, the persona's, the contact's, the pathway's, the knowledge bases'. */
const claimsSchema = z.strictObject({
  org: z.string(),
  exp: z.int(),
  /** Version of the persona; absent: the call has none. */
  ver: z.int().optional(),
  /** The call has a contact. */
  con: z.literal(1).optional(),
  /** Version of the pathway; absent: the call follows none. */
  path: z.int().optional(),
});

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const isUuid = (text: string): boolean => uuidPattern.test(text);

/** As `grantSchema`, for a grant of our own types: one is signed for each call. */
const isWritable = ({
  organization,
  callId,
  persona,
  pathway,
  contactId,
  knowledgeIds,
  expiresAt,
}: CallGrant): boolean =>
  organization.length >= 1 &&
  organization.length <= 64 &&
  isUuid(callId) &&
  [persona, pathway].every(
    (subject) => subject === undefined || (isUuid(subject.id) && isVersion(subject.version)),
  ) &&
  (contactId === undefined || isUuid(contactId)) &&
  knowledgeIds.length <= maximumKnowledgeBases &&
  knowledgeIds.every(isUuid) &&
  Number.isSafeInteger(expiresAt) &&
  expiresAt > 0;

const isVersion = (version: number): boolean =>
  Number.isInteger(version) && version >= 1 && version <= 2_147_483_647;

const octetsOf = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex');

function uuidOf(octets: Buffer): string {
  const hex = octets.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/**
 * `<claims>.<UUIDs>.<key id>.<HMAC>`, each in base64url. Throws `SecretError` without a key, and for a grant that cannot be
 * written (an id that is no UUID, too many of them).
 */
export function signCallToken(secrets: Pick<SecretBox, 'sign'>, grant: CallGrant): string {
  if (!isWritable(grant)) throw new SecretError('The grant of a call token is invalid.');
  const { organization, callId, persona, pathway, contactId, knowledgeIds, expiresAt } = grant;
  const claims: z.infer<typeof claimsSchema> = {
    org: organization,
    exp: expiresAt,
    ...(persona === undefined ? {} : { ver: persona.version }),
    ...(contactId === undefined ? {} : { con: 1 }),
    ...(pathway === undefined ? {} : { path: pathway.version }),
  };
  const ids = [callId, persona?.id, contactId, pathway?.id, ...knowledgeIds].filter((id) => id !== undefined);
  const text = [
    Buffer.from(JSON.stringify(claims)).toString('base64url'),
    Buffer.concat(ids.map(octetsOf)).toString('base64url'),
  ].join('.');
  return `${text}.${secrets.sign(purpose, text)}`;
}

/** @param now Unix milliseconds */
export function readCallToken(
  secrets: Pick<SecretBox, 'isSignature'>,
  token: string,
  now: number,
): CallGrant | CallTokenProblem {
  const match = tokenPattern.exec(token);
  if (match === null) return 'invalid';
  const [, head = '', tail = '', signature = ''] = match;
  if (!secrets.isSignature(signature, purpose, `${head}.${tail}`)) return 'invalid';
  const grant = grantOf(Buffer.from(head, 'base64url').toString('utf8'), Buffer.from(tail, 'base64url'));
  if (grant === undefined) return 'invalid';
  return grant.expiresAt * 1_000 <= now ? 'expired' : grant;
}

/** Undefined for what a later release may have signed in another form. */
function grantOf(json: string, octets: Buffer): CallGrant | undefined {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return undefined;
  }
  const claims = claimsSchema.safeParse(value);
  if (!claims.success || octets.length % uuidOctets !== 0) return undefined;
  const { org, exp, ver, con, path } = claims.data;
  const ids = Array.from({ length: octets.length / uuidOctets }, (_, index) =>
    uuidOf(octets.subarray(index * uuidOctets, (index + 1) * uuidOctets)),
  );
  const callId = ids.shift();
  const persona = ver === undefined ? {} : { persona: { id: ids.shift(), version: ver } };
  const contact = con === undefined ? {} : { contactId: ids.shift() };
  const pathway = path === undefined ? {} : { pathway: { id: ids.shift(), version: path } };
  const subjects = { ...persona, ...contact, ...pathway };
  const grant = { organization: org, callId, ...subjects, knowledgeIds: ids, expiresAt: exp };
  return grantSchema.safeParse(grant).data;
}
