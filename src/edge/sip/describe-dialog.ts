import type { HeldLeg } from '../../contract/held-call.js';
import { splitList } from '../../sip/text.js';
import type { Dialog } from './messages.js';
import { credentialOf } from './request-in-dialog.js';
import type { AgreedSession } from './session-timer.js';

/** What only the application knows of a dialog. */
export interface DialogNotes {
  readonly owesAck: boolean;
  readonly session: AgreedSession | undefined;
  readonly remoteDescription: string | undefined;
  readonly localDescription: string | undefined;
  readonly isNewParty: boolean;
}

/** A dialog as a document from which `rebuildDialog` and the engine's `restore` make it again in another process. */
export function describeDialog(dialog: Dialog, notes: DialogNotes): NonNullable<HeldLeg> {
  const { req, res, type } = dialog;
  const { session } = notes;
  const isServer = type === 'uas';
  // The message of the peer that formed the dialog.
  const fromPeer = isServer ? req : res;
  return {
    role: type,
    sip_call_id: dialog.sip.callId,
    dialog_id: dialog.id,
    local_tag: dialog.sip.localTag,
    remote_tag: dialog.sip.remoteTag ?? '',
    local_party: (isServer ? req.get('To') : req.get('From')) ?? '',
    remote_party: (isServer ? req.get('From') : res.get('To')) ?? '',
    request_uri: req.uri,
    local_contact: dialog.local.contact,
    remote_target: dialog.remote.uri,
    record_route: splitList(fromPeer.get('Record-Route') ?? '').filter((route) => route !== ''),
    sequence: Number.parseInt(req.get('CSeq') ?? '1', 10),
    source: {
      address: fromPeer.source_address,
      port: fromPeer.source_port,
      protocol: fromPeer.protocol,
    },
    allow: fromPeer.get('Allow') ?? null,
    owes_ack: notes.owesAck,
    session_timer: session === undefined ? null : { seconds: session.seconds, is_ours: session.isOurs },
    remote_description: notes.remoteDescription ?? null,
    local_description: notes.localDescription ?? null,
    is_new_party: notes.isNewParty,
    credential: credentialOf(dialog) ?? null,
  };
}
