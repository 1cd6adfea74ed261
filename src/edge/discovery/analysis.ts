import type { Discovery } from '../../contract/discovery.js';
import type { ReceivedResponse } from '../sip/messages.js';

type Recommended = NonNullable<Discovery['recommended']>;

/** In this order: what names another system as its base comes first. */
const systems: readonly (readonly [RegExp, string])[] = [
  [/3cx/i, '3CX'],
  [/freepbx|fpbx/i, 'FreePBX'],
  [/asterisk/i, 'Asterisk'],
  [/freeswitch/i, 'FreeSWITCH'],
  [/kamailio/i, 'Kamailio'],
  [/opensips/i, 'OpenSIPS'],
  [/cisco/i, 'Cisco'],
  [/avaya/i, 'Avaya'],
  [/mitel/i, 'Mitel'],
  [/audiocodes|mediant/i, 'AudioCodes'],
  [/ribbon|sonus/i, 'Ribbon'],
  [/oracle|acme packet/i, 'Oracle SBC'],
  [/drachtio/i, 'drachtio'],
  [/demarc/i, 'Demarc'],
];

/** Payload types that need no rtpmap (RFC 3551 §6). */
const staticCodecs: Readonly<Record<string, string>> = {
  0: 'PCMU',
  3: 'GSM',
  4: 'G723',
  8: 'PCMA',
  9: 'G722',
  15: 'G728',
  18: 'G729',
};

const maximumList = 40;

/** `Server` is what a user agent server says of itself (RFC 3261 §20.35); many send `User-Agent` instead. */
export function userAgentOf(response: ReceivedResponse): string | null {
  const text = (response.get('Server') ?? response.get('User-Agent'))?.replace(/[^\x20-\x7e]/g, ' ').trim();
  return text === undefined || text === '' ? null : text.slice(0, 200);
}

/** What the answer to OPTIONS reveals about a server. */
export function capabilitiesOf(
  response: ReceivedResponse,
): Pick<Recommended, 'user_agent' | 'detected_system' | 'codecs' | 'methods'> {
  const userAgent = userAgentOf(response);
  const system = userAgent === null ? undefined : systems.find(([pattern]) => pattern.test(userAgent));
  const methods = (response.get('Allow') ?? '')
    .split(',')
    .map((method) => method.trim().toUpperCase())
    .filter((method) => /^[A-Z]{2,20}$/.test(method));
  return {
    user_agent: userAgent,
    detected_system: system?.[1] ?? null,
    codecs: codecsOf(response.body ?? ''),
    methods: [...new Set(methods)].slice(0, maximumList),
  };
}

/** The audio codecs of an SDP body, in its order. */
function codecsOf(body: string): string[] {
  const audio = /^m=audio \d+(?:\/\d+)? \S+ ([\d ]+)/m.exec(body)?.[1];
  if (audio === undefined) return [];
  const named = new Map<string, string>();
  for (const [, type, name] of body.matchAll(/^a=rtpmap:(\d+) ([A-Za-z0-9_.-]{1,32})/gm))
    named.set(type!, name!);
  const codecs = audio
    .trim()
    .split(/ +/)
    .map((type) => named.get(type) ?? staticCodecs[type])
    .filter((name) => name !== undefined && name.toLowerCase() !== 'telephone-event');
  return [...new Set(codecs as string[])].slice(0, maximumList);
}
