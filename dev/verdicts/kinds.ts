import { setTimeout as sleep } from 'node:timers/promises';
import type { EndReason } from '../../src/contract/call-record.js';
import { failureWords } from '../../src/dashboard/pages/call/end-reasons.js';
import { trunkDescription } from '../../test/contract/media/descriptions.js';
import type { DrivenCall } from './driven-calls.js';
import type { Expected } from './notice.js';

/** Where the calls of a kind go to. */
export interface Places {
  /** The SIP URI of an agent that behaves so, as `npm run agent -- --help` lists it. */
  readonly agent: (behaviour: string) => string;
  /** A SIP URI that refuses connections. */
  readonly closed: string;
  /** Answers OPTIONS with 200 and INVITE with 503, over TCP. */
  readonly refusingTrunk: string;
  /** Over TLS, with a certificate of another name. */
  readonly misnamedTrunk: string;
}

export interface Kind {
  readonly name: string;
  readonly directions: (places: Places) => readonly object[];
  /** Limits of the organization. */
  readonly limits?: Readonly<Record<string, number>>;
  /** A call to the number; absent: the number calls. */
  readonly call?: Omit<DrivenCall, 'number'>;
  /** True: the calls go to a number that no organization has, so that they concern operators alone. */
  readonly isUnknownNumber?: true;
  /** Undefined: such calls are good, and the verdict is green. */
  readonly ends: { readonly reason: EndReason; readonly status: number | null } | undefined;
  /** What the organization's page says in place of how the calls ended: it knows the trunk itself. */
  readonly says?: string;
  readonly tone: Expected['tone'];
}

const everybody = { type: 'inbound', allowed_ips: ['127.0.0.0/8'] } as const;
const outbound = (uri: string): object => ({
  type: 'outbound',
  sip_endpoint: uri,
  options: { secure_media: false },
});
/** Long enough for the audio to be judged (DEMARC_SILENT_CALL_SECONDS). */
const silentSeconds = 6;

export const kinds: readonly Kind[] = [
  {
    name: 'wrong digest password',
    directions: () => [
      {
        type: 'inbound',
        allowed_ips: ['203.0.113.0/24'],
        options: { sip_username: 'pbx', sip_password: 'correct horse battery' },
      },
    ],
    call: { description: trunkDescription(), credentials: { username: 'pbx', password: 'wrong' } },
    // The second wrong answer gets 403.
    ends: { reason: 'refused_credentials', status: 403 },
    tone: 'bad',
  },
  {
    name: 'source not allowed',
    directions: () => [{ type: 'inbound', allowed_ips: ['203.0.113.0/24'] }],
    call: { description: trunkDescription() },
    ends: { reason: 'refused_source', status: 403 },
    tone: 'bad',
  },
  {
    name: 'unknown number',
    directions: () => [],
    call: { description: trunkDescription() },
    isUnknownNumber: true,
    ends: { reason: 'refused_unknown_number', status: 404 },
    tone: 'warn',
  },
  {
    name: 'limit of the organization: 2 active calls',
    limits: { concurrent_calls: 2 },
    directions: () => [everybody],
    call: { description: trunkDescription(), seconds: silentSeconds - 2 },
    ends: { reason: 'refused_limit', status: 503 },
    tone: 'bad',
  },
  {
    name: 'agent unreachable',
    directions: ({ closed }) => [{ ...everybody, agent: closed }],
    call: { description: trunkDescription() },
    ends: { reason: 'agent_unreachable', status: 503 },
    tone: 'bad',
  },
  {
    name: 'agent refuses with 503',
    directions: ({ agent }) => [{ ...everybody, agent: agent('reject-503') }],
    call: { description: trunkDescription() },
    ends: { reason: 'agent_refused', status: 503 },
    tone: 'bad',
  },
  {
    name: 'no SRTP offered',
    directions: () => [everybody],
    call: { description: trunkDescription({ protocol: 'RTP/AVP', crypto: [] }) },
    ends: { reason: 'refused_media', status: 488 },
    tone: 'bad',
  },
  {
    name: 'no common codec',
    directions: () => [everybody],
    call: { description: trunkDescription({ formats: '18 101' }) },
    ends: { reason: 'refused_media', status: 488 },
    tone: 'bad',
  },
  {
    name: 'one-way audio: the caller sends none',
    directions: ({ agent }) => [{ ...everybody, agent: agent('tone') }],
    call: { description: trunkDescription(), seconds: silentSeconds },
    ends: { reason: 'one_way_audio', status: 200 },
    tone: 'bad',
  },
  {
    name: 'dead air: neither side sends audio',
    directions: ({ agent }) => [{ ...everybody, agent: agent('silent') }],
    call: { description: trunkDescription(), seconds: silentSeconds },
    ends: { reason: 'dead_air', status: 200 },
    tone: 'bad',
  },
  {
    name: 'trunk answers OPTIONS with 200, INVITE with 503',
    directions: ({ refusingTrunk }) => [outbound(refusingTrunk)],
    ends: { reason: 'trunk_refused', status: 503 },
    tone: 'bad',
  },
  {
    name: 'certificate of the trunk refused',
    directions: ({ misnamedTrunk }) => [outbound(misnamedTrunk)],
    ends: { reason: 'trunk_unreachable', status: null },
    says: "unreachable: the server's TLS certificate",
    tone: 'bad',
  },
  {
    name: 'good calls, for comparison',
    directions: () => [everybody],
    // Too short for silence to be a defect.
    call: { description: trunkDescription(), seconds: 1 },
    ends: undefined,
    tone: 'warn',
  },
];

/** What the first reason has to say. */
export const expectedOf = ({ ends, tone }: Kind, ...names: readonly string[]): Expected => ({
  tone,
  words: [
    ...names,
    ...(ends === undefined ? [] : [failureWords({ end_reason: ends.reason, sip_status: ends.status })]),
  ],
});

/** Between two calls. */
const gapMilliseconds = 90;

/** Begins so many calls, one after another; resolves with how many had each result. */
export async function many(
  count: number,
  place: (index: number) => Promise<string | number>,
): Promise<Readonly<Record<string, number>>> {
  const results: Record<string, number> = {};
  const placed: Promise<void>[] = [];
  for (let index = 0; index < count; index++) {
    placed.push(
      place(index)
        .catch((error: Error) => error.message.split('\n')[0]!)
        .then((result) => {
          results[result] = (results[result] ?? 0) + 1;
        }),
    );
    await sleep(gapMilliseconds);
  }
  await Promise.all(placed);
  return results;
}
