import { type HeaderMapping, isHeaderText } from '../../contract/header-mapping.js';
import type { HeaderReader } from '../call/header-mapping.js';
import { removedHeadersOf, trunkHeadersOf, variablesOf } from '../call/header-mapping.js';
import type { SipMessage } from '../sip/messages.js';
import { isExtension, type ReferTarget } from './refer-to.js';

type Headers = Readonly<Record<string, string>>;

/** As on the agent's leg (`call/agent-headers.ts`). */
const maximumExtensions = 40;
const maximumOctets = 4_096;

export interface PassingRules {
  readonly side: 'trunk' | 'agent';
  /** From the trunk to the agent, and from the agent to the trunk. */
  readonly inbound: readonly HeaderMapping[];
  readonly outbound: readonly HeaderMapping[];
}

/**
 * What the new party's INVITE gets of a REFER and of the headers in its Refer-To, which go before. The agent's mappings apply, and
 * its `X-` headers and User-to-User are meant for the new party. A caller's headers reach a trunk as they would reach one through
 * an agent: as variables that a mapping makes headers of.
 */
export function passedHeaders(
  request: SipMessage | undefined,
  { headers: named }: Pick<ReferTarget, 'headers'>,
  { side, inbound, outbound }: PassingRules,
): Headers {
  const read: HeaderReader = (name) => named.get(name.toLowerCase()) ?? request?.get(name);
  const names = [...new Set([...named.keys(), ...Object.keys(request?.headers ?? {}).map(lower)])];
  const extensions = names.filter(isExtension).slice(0, maximumExtensions);
  if (side === 'trunk') {
    const variables = new Map<string, string | undefined>(extensions.map((name) => [name, read(name)]));
    for (const [name, value] of Object.entries(variablesOf(inbound, read))) variables.set(lower(name), value);
    return trunkHeadersOf(outbound, (name) => variables.get(lower(name)));
  }
  const mapped = trunkHeadersOf(outbound, read);
  const isTaken = new Set([...Object.keys(mapped).map(lower), ...removedHeadersOf(outbound)]);
  const passed: Record<string, string> = {};
  let octets = 0;
  for (const name of [...extensions, 'user-to-user']) {
    const value = read(name);
    if (value === undefined || isTaken.has(name) || !isHeaderText(value)) continue;
    octets += name.length + Buffer.byteLength(value) + 4;
    if (octets <= maximumOctets) passed[nameOf(name)] = value;
  }
  return { ...passed, ...mapped };
}

const lower = (name: string): string => name.toLowerCase();

/** `x-case-id` as it is usually written. */
const nameOf = (name: string): string =>
  name
    .replace(/(^|-)([a-z])/g, (_, before: string, letter: string) => `${before}${letter.toUpperCase()}`)
    .replace('-To-', '-to-');
