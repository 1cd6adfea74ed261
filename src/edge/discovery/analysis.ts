import type { Discovery } from '../../contract/discovery.js';
import { encodingIn, readSession } from '../../sdp/sdp.js';
import type { ReceivedResponse } from '../sip/messages.js';

type Recommended = NonNullable<Discovery['recommended']>;

/** In this order: systems that name another one as their base come first. */
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

const maximumList = 40;

/** `Server` identifies a user agent server (RFC 3261 §20.35); many send `User-Agent` instead. */
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
  const audio = readSession(body)?.media.find(({ kind }) => kind === 'audio');
  if (audio === undefined) return [];
  const names = audio.formats
    .slice(0, maximumList)
    .flatMap((payloadType) => encodingIn(audio, payloadType)?.split('/')[0] ?? [])
    .filter((name) => /^[\w.-]{1,32}$/.test(name) && name.toLowerCase() !== 'telephone-event');
  return [...new Set(names)];
}
