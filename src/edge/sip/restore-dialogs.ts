import type { Logger } from '../../base/log.js';
import type { HeldCall, HeldLeg } from '../../contract/held-call.js';
import { formatAddress, parseAddress, tagOf, withTag } from '../../sip/address.js';
import { fromText } from '../../sip/message.js';
import { formatHostPort, parseUri } from '../../sip/uri.js';
import { persistently } from './engine-commands.js';
import type { EngineLink } from './engine-link.js';

const sides = ['trunk', 'agent'] as const;
/** Dialogs of one `restore`: some hundred kilobytes. */
const atOnce = 100;
/**
 * Our CSeq numbers after a restart of the engine, which alone knew the last one: beyond any that it can have used. Gaps are legal
 * (RFC 3261 §12.2.2), and the margin grows with time, so that a second restart does not go backwards.
 */
const margin = { least: 1_000, perSecond: 10 } as const;

interface Outcome {
  readonly id?: string;
  readonly local_contact?: string;
  readonly error?: string;
}

/** A dialog that an engine process shall have again. */
export interface LostDialog {
  readonly leg: NonNullable<HeldLeg>;
  /** Unix milliseconds. */
  readonly answeredAt: number;
}

/** Both dialogs of a call. */
export const dialogsOf = ({ legs, answered_at: answeredAt }: HeldCall): LostDialog[] =>
  sides.flatMap((side) => {
    const leg = legs[side];
    return leg === null ? [] : [{ leg, answeredAt }];
  });

/** Gives dialogs to an engine process that does not know them. Resolves with our Contact in each that it has, by its id. */
export async function restoreDialogs(
  engine: Pick<EngineLink, 'command' | 'advertised'>,
  dialogs: readonly LostDialog[],
  log: Logger,
): Promise<Map<string, string>> {
  const documents = dialogs.map(({ leg, answeredAt }) => {
    const local_contact = reachableContact(leg.local_contact, engine.advertised);
    return restoreDocument({ ...leg, local_contact }, answeredAt);
  });
  const restored = new Map<string, string>();
  for (let at = 0; at < documents.length; at += atOnce) {
    const { body } = await persistently(engine, 'restore', JSON.stringify(documents.slice(at, at + atOnce)));
    for (const outcome of JSON.parse(body) as Outcome[]) {
      if (outcome.id !== undefined) restored.set(outcome.id, outcome.local_contact ?? '');
      else log.warn({ error: outcome.error }, 'The SIP engine did not restore a dialog.');
    }
  }
  return restored;
}

/** A Contact with the address of another engine leads nowhere: ours gives it its own for `localhost`. */
export function reachableContact(contact: string, own: readonly string[]): string {
  const address = parseAddress(contact);
  const uri = parseUri(address?.uri ?? '');
  if (address === undefined || uri?.kind !== 'sip') return contact;
  if (own.includes(formatHostPort(uri.host, uri.port))) return contact;
  const [, scheme, user = 'demarc@', parameters] = /^(sips?:)([^@;?]*@)?[^;?]*(.*)$/i.exec(address.uri)!;
  return formatAddress({ ...address, uri: `${scheme}${user}localhost${parameters}` });
}

/** A leg as the engine's `restore` takes it. Strings reach it in UTF-8, its byte strings. */
export function restoreDocument(leg: NonNullable<HeldLeg>, answeredAt: number): object {
  const elapsed = Math.max(0, (Date.now() - answeredAt) / 1_000);
  const tagged = (party: string, tag: string): string =>
    tag === '' || tagOf(fromText(party)) !== undefined ? party : withTag(party, tag);
  const { address, port, protocol } = leg.source;
  const isServer = leg.role === 'uas';
  return {
    role: leg.role,
    call_id: leg.sip_call_id,
    local_party: tagged(leg.local_party, leg.local_tag),
    remote_party: tagged(leg.remote_party, leg.remote_tag),
    route_set: isServer ? leg.record_route : [...leg.record_route].reverse(),
    remote_target: leg.remote_target,
    local_contact: leg.local_contact,
    local_sequence: leg.sequence + margin.least + Math.ceil(elapsed * margin.perSecond),
    remote_sequence: isServer ? leg.sequence : null,
    flow: { protocol, address, port },
    // Its host is the name that the peer's certificate carries; a Contact often is an address.
    next_hop: !isServer && protocol === 'tls' ? leg.request_uri : null,
    session_timer: leg.session_timer,
    allows_update: /(^|,)\s*UPDATE\s*(,|$)/i.test(leg.allow ?? ''),
    local_description: leg.local_description,
  };
}
