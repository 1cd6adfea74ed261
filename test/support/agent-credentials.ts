import { digestResponse, formatCredentials, parseChallenges } from '../../src/sip/digest.js';
import type { PeerCall } from './peer-call.js';

/** The operator's agent in tests: what the edge is started with. */
export const operatorAgent = { username: 'agent', password: 'operator-agent-of-tests' } as const;

export const operatorAgentSettings = { DEMARC_AGENT_PASSWORD: operatorAgent.password } as const;

type InviteOptions = NonNullable<Parameters<PeerCall['invite']>[0]>;

/** Sends an INVITE, and again with the answer to the edge's challenge (RFC 3261 §22.2). */
export async function inviteAsAgent(
  call: PeerCall,
  options: InviteOptions = {},
  credentials: { readonly username: string; readonly password: string } = operatorAgent,
): Promise<void> {
  const { uri } = await call.invite(options);
  const { message } = await call.response(401);
  await call.ack(message);
  const challenge = parseChallenges(message.headers.lines('WWW-Authenticate'))[0]!;
  // The dialog that the challenge would have been of is none.
  call.remoteTag = undefined;
  const fields = {
    username: bytes(credentials.username),
    realm: challenge.realm,
    nonce: challenge.nonce,
    uri,
    algorithm: 'SHA-256',
    qop: 'auth',
    nc: '00000001',
    cnonce: 'c1',
  } as const;
  const response = digestResponse({ ...fields, method: 'INVITE', password: bytes(credentials.password) });
  const Authorization = formatCredentials({ ...fields, scheme: 'Digest', response, userhash: false });
  await call.invite({ ...options, headers: { ...options.headers, Authorization } });
}

const bytes = (text: string): string => Buffer.from(text).toString('latin1');
