import type { LostInvite } from '../dialog/lost-invite.js';
import type { RestoredDialog } from '../dialog/restored-dialog.js';
import type { LostLegs } from '../dialog/user-agent-core.js';

/** A document of an application cannot be used; the text goes into its `NOK`. */
export class RestoreDocumentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RestoreDocumentError';
  }
}

const maximumLegs = 1_000;
const maximumSequence = 2 ** 31 - 1;
const longestSession = 86_400;

type Fields = Readonly<Record<string, unknown>>;

const fieldNames = new Set([
  ...['role', 'call_id', 'local_party', 'remote_party', 'route_set', 'remote_target', 'local_contact'],
  ...['local_sequence', 'remote_sequence', 'flow', 'next_hop', 'session_timer', 'allows_update'],
  ...['local_description', 'unacknowledged'],
]);

/**
 * Reads the body of `restore`: a JSON array of dialogs. Strings are byte strings, as in all frames. Throws
 * RestoreDocumentError that names the first field it cannot use.
 */
export function readRestoreDocument(text: string): RestoredDialog[] {
  return listIn(parsed(text), 'the body').map((each, index) => readDialog(each, `dialog ${index}`));
}

/**
 * Reads the body of `release`: a JSON object with `dialogs` as in `restore`, and `invites` that have no final response. Throws as
 * `readRestoreDocument`.
 */
export function readReleaseDocument(text: string): LostLegs {
  const { invites, dialogs } = objectIn(parsed(text), 'the body');
  return {
    invites: listIn(invites, 'invites').map((each, index) => readInvite(each, `invite ${index}`)),
    dialogs: listIn(dialogs, 'dialogs').map((each, index) => readDialog(each, `dialog ${index}`)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new RestoreDocumentError('restore: the body is not JSON', { cause: error });
  }
}

function listIn(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maximumLegs)
    throw wrong(where, `must be an array of at most ${maximumLegs}`);
  return value;
}

function readInvite(value: unknown, where: string): LostInvite {
  const fields = objectIn(value, where);
  return {
    uri: line(fields, 'request_uri', where),
    via: line(fields, 'via', where),
    routes: routesIn(fields.routes, 'routes', where),
    from: line(fields, 'from', where),
    to: line(fields, 'to', where),
    callId: line(fields, 'call_id', where),
    sequence: whole(fields.sequence, maximumSequence, 'sequence', where),
    flow: flowIn(fields, where),
    nextHop: line(fields, 'next_hop', where),
  };
}

function readDialog(value: unknown, where: string): RestoredDialog {
  const fields = objectIn(value, where);
  for (const name of Object.keys(fields)) if (!fieldNames.has(name)) throw wrong(where, `${name} is unknown`);
  const { role } = fields;
  if (role !== 'uas' && role !== 'uac') throw wrong(where, 'role must be uas or uac');
  const timer = fields.session_timer === null ? undefined : objectIn(fields.session_timer, where);
  return {
    role,
    callId: line(fields, 'call_id', where),
    localParty: line(fields, 'local_party', where),
    remoteParty: line(fields, 'remote_party', where),
    routeSet: routesIn(fields.route_set, 'route_set', where),
    remoteTarget: line(fields, 'remote_target', where),
    localContact: line(fields, 'local_contact', where),
    localSequence: whole(fields.local_sequence, maximumSequence, 'local_sequence', where),
    remoteSequence:
      fields.remote_sequence === null
        ? undefined
        : whole(fields.remote_sequence, 2 ** 32 - 1, 'remote_sequence', where),
    flow: flowIn(fields, where),
    nextHop: fields.next_hop === null ? undefined : line(fields, 'next_hop', where),
    session: timer && {
      interval: whole(timer.seconds, longestSession, 'session_timer.seconds', where),
      isOursToRefresh: timer.is_ours === true,
    },
    peerAllowsUpdate: fields.allows_update === true,
    unacknowledged:
      fields.unacknowledged === undefined
        ? undefined
        : whole(fields.unacknowledged, maximumSequence, 'unacknowledged', where),
    localSdp: fields.local_description === null ? undefined : textOf(fields.local_description, where),
  };
}

function flowIn(fields: Fields, where: string): RestoredDialog['flow'] {
  const flow = objectIn(fields.flow, `${where} flow`);
  const { protocol } = flow;
  if (protocol !== 'udp' && protocol !== 'tcp' && protocol !== 'tls')
    throw wrong(where, 'flow.protocol must be udp, tcp or tls');
  return {
    protocol,
    address: line(flow, 'address', where),
    port: whole(flow.port, 65_535, 'flow.port', where),
  };
}

function routesIn(value: unknown, name: string, where: string): string[] {
  if (!Array.isArray(value) || value.length > 50) throw wrong(where, `${name} must be an array`);
  return value.map((route) => lineOf(route, name, where));
}

const wrong = (where: string, what: string): RestoreDocumentError =>
  new RestoreDocumentError(`restore: ${where}: ${what}`);

function objectIn(value: unknown, where: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(where, 'must be an object');
  return value as Fields;
}

const line = (fields: Fields, name: string, where: string): string => lineOf(fields[name], name, where);

/** A header's value: no line breaks, or it would become further headers. */
function lineOf(value: unknown, name: string, where: string): string {
  if (typeof value !== 'string' || value === '' || value.length > 8_192 || /[\r\n\0]/.test(value))
    throw wrong(where, `${name} must be one line of text`);
  return value;
}

function textOf(value: unknown, where: string): string {
  if (typeof value !== 'string') throw wrong(where, 'local_description must be text');
  return value;
}

function whole(value: unknown, maximum: number, name: string, where: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > maximum)
    throw wrong(where, `${name} must be a whole number up to ${maximum}`);
  return value;
}
