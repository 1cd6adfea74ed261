import { readKeys } from '../../api/keys.js';
import { readWindows } from '../../api/maintenance.js';
import { type AuditEvent, readInvitations, readMembers } from '../../api/members.js';
import { readSharedTrunks } from '../../api/shared-trunks.js';
import { readEndpoints } from '../../api/webhooks.js';
import { type KnownNames, kindsIn, type NamedKind } from './audit-words.js';

type Named = readonly (readonly [id: string, name: string])[];

/** The present names of each kind. */
const lists: Readonly<Record<NamedKind, (signal: AbortSignal) => Promise<Named>>> = {
  mem: async (signal) => (await readMembers(signal)).map(({ member_id, name }) => [member_id, name]),
  inv: async (signal) =>
    (await readInvitations(signal)).map(({ invitation_id, email }) => [invitation_id, email]),
  key: async (signal) => (await readKeys(signal)).map(({ id, name }) => [id, name]),
  whe: async (signal) => (await readEndpoints(signal)).map(({ webhook_id, url }) => [webhook_id, url]),
  mwn: async (signal) => (await readWindows({}, signal)).map(({ window_id, name }) => [window_id, name]),
  trk: async (signal) => (await readSharedTrunks(signal)).map(({ trunk_id, name }) => [trunk_id, name]),
};

/** Reads the names of what these events mention. Without a list, its ids stay ids. */
export async function readNames(events: readonly AuditEvent[], signal: AbortSignal): Promise<KnownNames> {
  const kinds = [...kindsIn(events.map(({ subject }) => subject))];
  const read = await Promise.allSettled(kinds.map((kind) => lists[kind](signal)));
  const listed = read.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  // A person who has been removed is still known from their own changes.
  const actors = events.map(({ actor }) => [actor.id, actor.name] as const);
  return {
    kinds: new Set(kinds.filter((_, index) => read[index]!.status === 'fulfilled')),
    byId: new Map([...actors, ...listed]),
  };
}
