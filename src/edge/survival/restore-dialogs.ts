import type { Logger } from '../../base/log.js';
import type { HeldCall, HeldLeg } from '../../contract/held-call.js';
import { tagOf, withTag } from '../../sip/address.js';
import { fromText } from '../../sip/message.js';
import type { EngineLink } from '../sip/engine-link.js';

const sides = ['trunk', 'agent'] as const;
/** Dialogs of one `restore`: some hundred kilobytes. */
const atOnce = 100;
/**
 * Our CSeq numbers after a restart of the engine, which alone knew the last one: beyond any that it can have used. Gaps are legal
 * (RFC 3261 §12.2.2), and the margin grows with time, so that a second restart does not go backwards.
 */
const margin = { least: 1_000, perSecond: 10 } as const;

/** Gives the calls' dialogs to an engine process that does not know them. Resolves with the ids of those that it has. */
export async function restoreDialogs(
  engine: Pick<EngineLink, 'command'>,
  calls: readonly HeldCall[],
  log: Logger,
): Promise<Set<string>> {
  const documents = calls.flatMap((held) =>
    sides.flatMap((side) => {
      const leg = held.legs[side];
      return leg === null ? [] : [restoreDocument(leg, held.answered_at)];
    }),
  );
  const restored = new Set<string>();
  for (let at = 0; at < documents.length; at += atOnce) {
    const { body } = await engine.command('restore', JSON.stringify(documents.slice(at, at + atOnce)));
    for (const outcome of JSON.parse(body) as { id?: string; error?: string }[]) {
      if (outcome.id !== undefined) restored.add(outcome.id);
      else log.warn({ error: outcome.error }, 'The SIP engine did not restore a dialog.');
    }
  }
  return restored;
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
