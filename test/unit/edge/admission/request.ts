import { randomBytes } from 'node:crypto';
import { readEdgeSettings } from '../../../../src/config/edge-settings.js';
import { type NumberDocument, numberDigits, numberDocumentSchema } from '../../../../src/contract/number.js';
import { generateSecretKey, SecretBox } from '../../../../src/contract/secret.js';
import {
  AdmissionChain,
  type AdmissionParts,
  type InboundRequest,
} from '../../../../src/edge/admission/chain.js';
import { edgeNames } from '../../../../src/edge/routing/names.js';
import { OutboundAddresses } from '../../../../src/edge/routing/outbound-addresses.js';
import { digestResponse, formatCredentials, parseChallenges } from '../../../../src/sip/digest.js';
import { ScriptedDns } from '../../../support/scripted-dns.js';

/** What an admission test is made of: a chain over documents in memory, with a clock that the test turns. */

export const secrets = new SecretBox([generateSecretKey()]);

export const settings = readEdgeSettings({ DEMARC_TLS_CERT: 'c', DEMARC_TLS_KEY: 'k' }).admission;

export function numberDocument(fields: Record<string, unknown> = {}): NumberDocument {
  return numberDocumentSchema.parse({
    version: 1,
    number: '14155550100',
    organization: 'acme',
    updated_at: '2026-01-01T00:00:00Z',
    inbound: [{ id: 'in-1', allowed_sources: ['203.0.113.0/24'] }],
    ...fields,
  });
}

export interface TestChain {
  readonly chain: AdmissionChain;
  /** Milliseconds; a test may add to it. */
  readonly clock: { now: number };
  documents: NumberDocument[];
}

export function chainOver(documents: NumberDocument[], parts: Partial<AdmissionParts> = {}): TestChain {
  const clock = { now: 1_000_000 };
  const test: TestChain = {
    clock,
    documents,
    chain: new AdmissionChain({
      settings,
      trunks: {
        find: async (user) => test.documents.find(({ number }) => number === numberDigits(user)),
      },
      secrets,
      checkTrunkOffer: () => ({ ok: true }),
      isDraining: () => false,
      ownHostPorts: () => ['edge.example.com:5061', '192.0.2.10:5061'],
      listeners: () => ['tls/edge.example.com:5061', 'tcp/192.0.2.10:5061'],
      addresses: new OutboundAddresses(edgeNames({ dns: new ScriptedDns() }).admission),
      now: () => clock.now,
      // The processors of this machine know nothing of the clock above.
      stretch: () => 1,
      ...parts,
    }),
  };
  return test;
}

export interface RequestFields extends Partial<Omit<InboundRequest, 'header'>> {
  readonly headers?: Record<string, string>;
}

export function invite(fields: RequestFields = {}): InboundRequest {
  const { headers = {}, ...rest } = fields;
  const calledUser = rest.calledUser ?? '+14155550100';
  return {
    method: 'INVITE',
    uri: `sip:${calledUser}@edge.example.com;transport=tls`,
    calledUser,
    from: '<sip:alice@example.com>;tag=a',
    to: `<sip:${calledUser}@edge.example.com>`,
    callId: randomBytes(6).toString('hex'),
    sourceAddress: '203.0.113.7',
    sourcePort: 40_000,
    protocol: 'tls',
    maxForwards: 70,
    waitedMilliseconds: 0,
    via: ['SIP/2.0/TLS 203.0.113.7:40000;branch=z9hG4bK1'],
    sdp: undefined,
    header: (name) => Object.entries(headers).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1],
    ...rest,
  };
}

export interface AnswerFields {
  username?: string;
  password?: string;
  algorithm?: 'MD5' | 'SHA-256';
  nc?: string;
  cnonce?: string;
  uri?: string;
  qop?: string | undefined;
  nonce?: string;
  realm?: string;
}

export function challengesOf(headers: Record<string, string>) {
  return parseChallenges((headers['WWW-Authenticate'] ?? '').split('\r\nWWW-Authenticate: '));
}

/** The Authorization value that a caller would send. */
export function answer(nonce: string, request: InboundRequest, fields: AnswerFields = {}): string {
  const {
    username = 'trunk',
    password = 'right',
    algorithm = 'SHA-256',
    nc = '00000001',
    cnonce = 'c1',
    uri = request.uri,
    realm = 'demarc',
  } = fields;
  const qop = 'qop' in fields ? fields.qop : 'auth';
  const withQop = qop === undefined ? {} : { qop, nc, cnonce };
  const response = digestResponse({
    algorithm,
    username,
    realm,
    password,
    method: request.method,
    uri,
    nonce,
    ...withQop,
  });
  return formatCredentials({
    scheme: 'Digest',
    username,
    realm,
    nonce,
    uri,
    response,
    algorithm,
    userhash: false,
    ...withQop,
  });
}
