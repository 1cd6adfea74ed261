import Srf from 'drachtio-srf';
import type { HeldLeg } from '../../contract/held-call.js';
import { tagOf, withTag } from '../../sip/address.js';
import type { Library } from './library-adapter.js';
import type { Dialog } from './messages.js';

/** The classes that the library offers and makes dialogs of; it has no function that makes one of data. */
interface LibraryClasses {
  readonly Dialog: new (library: unknown, type: 'uas' | 'uac', messages: object) => Dialog;
  readonly SipRequest: new (message: object, meta: object) => { agent: unknown; socket: unknown };
  readonly SipResponse: new (agent: unknown) => { msg: object; meta: object; req: object; socket: unknown };
  readonly SipMessage: new (text: string) => object;
}

/**
 * A dialog of the library for a leg that another process, or this one before it lost its connection, has described. The engine
 * must have the dialog, or get it restored; the library sends and receives by its id alone.
 */
export function rebuildDialog(
  library: Pick<Library, 'sender' | 'addDialog'>,
  leg: NonNullable<HeldLeg>,
): Dialog {
  const { agent, socket } = library.sender;
  const { Dialog, SipRequest, SipResponse, SipMessage } = Srf as unknown as LibraryClasses;
  const isServer = leg.role === 'uas';
  const [localSdp, remoteSdp] = [leg.local_description ?? '', leg.remote_description ?? ''];
  const from = isServer ? tagged(leg.remote_party, leg.remote_tag) : tagged(leg.local_party, leg.local_tag);
  const to = isServer ? leg.local_party : leg.remote_party;
  const toTag = isServer ? leg.local_tag : leg.remote_tag;
  const routes: [string, string][] = leg.record_route.map((route) => ['Record-Route', route]);
  const allow: [string, string][] = leg.allow === null ? [] : [['Allow', leg.allow]];
  const common = (party: string): [string, string][] => [
    ['From', from],
    ['To', party],
    ['Call-ID', leg.sip_call_id],
    ['CSeq', `${leg.sequence} INVITE`],
  ];
  const remoteContact: [string, string] = ['Contact', `<${leg.remote_target}>`];
  const localContact: [string, string] = ['Contact', leg.local_contact];
  const invite = text(
    `INVITE ${leg.request_uri} SIP/2.0`,
    [...common(to), ...(isServer ? [...routes, ...allow, remoteContact] : [localContact])],
    isServer ? remoteSdp : localSdp,
  );
  const answer = text(
    'SIP/2.0 200 OK',
    [...common(tagged(to, toTag)), ...(isServer ? [localContact] : [...routes, ...allow, remoteContact])],
    isServer ? localSdp : remoteSdp,
  );
  const { address, port, protocol } = leg.source;
  const meta = { source: isServer ? 'network' : 'application', address, port: String(port), protocol };
  const request = new SipRequest(new SipMessage(invite), { ...meta, dialogId: leg.dialog_id });
  request.agent = agent;
  request.socket = socket;
  const response = new SipResponse(agent);
  // In this order: the request fills in what the message lacks.
  response.msg = new SipMessage(answer);
  response.meta = { ...meta, dialogId: leg.dialog_id };
  response.req = request;
  response.socket = socket;
  const dialog = new Dialog(library, leg.role, {
    req: request,
    res: response,
    ...(isServer ? { sent: new SipMessage(answer) } : {}),
  });
  library.addDialog(dialog);
  return dialog;
}

const tagged = (party: string, tag: string): string =>
  tag === '' || tagOf(party) !== undefined ? party : withTag(party, tag);

function text(startLine: string, headers: readonly (readonly [string, string])[], body: string): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const type = body === '' ? '' : 'Content-Type: application/sdp\r\n';
  return `${startLine}\r\n${lines}${type}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
