import type { RestoredDialog } from '../dialog/restored-dialog.js';

/** A document of an application cannot be used; the text goes into its `NOK`. */
export class RestoreDocumentError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RestoreDocumentError';
  }
}

const maximumDialogs = 1_000;
const maximumSequence = 2 ** 31 - 1;
const longestSession = 86_400;

type Fields = Readonly<Record<string, unknown>>;

const known = new Set([
  ...['role', 'call_id', 'local_party', 'remote_party', 'route_set', 'remote_target', 'local_contact'],
  ...['local_sequence', 'remote_sequence', 'flow', 'next_hop', 'session_timer', 'allows_update'],
  'local_description',
]);

/**
 * Reads the body of `restore`: a JSON array of dialogs. Strings are byte strings, as in all frames. Throws
 * RestoreDocumentError that names the first field it cannot use.
 */
export function readRestoreDocument(text: string): RestoredDialog[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new RestoreDocumentError('restore: the body is not JSON', { cause: error });
  }
  if (!Array.isArray(value) || value.length > maximumDialogs)
    throw new RestoreDocumentError(`restore: the body must be an array of at most ${maximumDialogs} dialogs`);
  return value.map((each, index) => readDialog(each, `dialog ${index}`));
}

function readDialog(value: unknown, where: string): RestoredDialog {
  const fields = objectIn(value, where);
  for (const name of Object.keys(fields)) if (!known.has(name)) throw wrong(where, `${name} is unknown`);
  const { role } = fields;
  if (role !== 'uas' && role !== 'uac') throw wrong(where, 'role must be uas or uac');
  const flow = objectIn(fields.flow, `${where} flow`);
  const { protocol } = flow;
  if (protocol !== 'udp' && protocol !== 'tcp' && protocol !== 'tls')
    throw wrong(where, 'flow.protocol must be udp, tcp or tls');
  const routes = fields.route_set;
  if (!Array.isArray(routes) || routes.length > 50) throw wrong(where, 'route_set must be an array');
  const timer = fields.session_timer === null ? undefined : objectIn(fields.session_timer, where);
  return {
    role,
    callId: line(fields, 'call_id', where),
    localParty: line(fields, 'local_party', where),
    remoteParty: line(fields, 'remote_party', where),
    routeSet: routes.map((route) => lineOf(route, 'route_set', where)),
    remoteTarget: line(fields, 'remote_target', where),
    localContact: line(fields, 'local_contact', where),
    localSequence: whole(fields.local_sequence, maximumSequence, 'local_sequence', where),
    remoteSequence:
      fields.remote_sequence === null
        ? undefined
        : whole(fields.remote_sequence, 2 ** 32 - 1, 'remote_sequence', where),
    flow: {
      protocol,
      address: line(flow, 'address', where),
      port: whole(flow.port, 65_535, 'flow.port', where),
    },
    nextHop: fields.next_hop === null ? undefined : line(fields, 'next_hop', where),
    session: timer && {
      interval: whole(timer.seconds, longestSession, 'session_timer.seconds', where),
      isOursToRefresh: timer.is_ours === true,
    },
    peerAllowsUpdate: fields.allows_update === true,
    localSdp: fields.local_description === null ? undefined : textOf(fields.local_description, where),
  };
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
