import type { Socket } from 'node:net';
import type { OwnText } from '../../base/own-text.js';
import { headerOf } from './message-reading.js';
import type { Dialog, SipMessage } from './messages.js';

type Described = Dialog['req'];

/** What drachtio-srf's dialog uses of the INVITE and its 200 once the dialog exists. */
interface LibraryDialog {
  req: Described & { readonly method: string; readonly socket: Socket | undefined };
  res: Dialog['res'] & { readonly stackDialogId: string; readonly socket: Socket | undefined };
  readonly sip: { callId: string; localTag: string; remoteTag: string | undefined };
  readonly local: { uri: string; sdp: string | undefined; contact: string };
  readonly remote: { uri: string; sdp: string | undefined };
}

/** Headers that a successor of this process needs, and those that decide how a peer is asked later. */
const keptHeaders = ['From', 'To', 'CSeq', 'Record-Route', 'Allow'] as const;

/** The INVITE or the 200 of a confirmed dialog. */
class KeptMessage implements Described {
  readonly headers: Readonly<Record<string, string>>;
  readonly uri: string;
  readonly method: string | undefined;
  readonly stackDialogId: string | undefined;
  readonly source_address: string;
  readonly source_port: number;
  readonly protocol: string;
  socket: Socket | undefined;

  constructor(
    message: SipMessage &
      Partial<Pick<Described, 'uri'>> &
      Omit<Described, keyof SipMessage | 'uri'> & {
        readonly method?: string;
        readonly stackDialogId?: string;
        readonly socket: Socket | undefined;
      },
    own: OwnText,
  ) {
    const headers: Record<string, string> = {};
    for (const name of keptHeaders) {
      const value = headerOf(message, name);
      if (value !== undefined) headers[name.toLowerCase()] = own(value);
    }
    this.headers = headers;
    this.uri = own(message.uri ?? '');
    this.method = message.method;
    this.stackDialogId = message.stackDialogId === undefined ? undefined : own(message.stackDialogId);
    this.source_address = own(message.source_address);
    this.source_port = message.source_port;
    this.protocol = message.protocol;
    this.socket = message.socket;
  }

  get(name: string): string | undefined {
    return this.headers[name.toLowerCase()];
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

/**
 * Makes a confirmed dialog drop its INVITE and 200: two parsed messages with their texts, and every closure of the setup, which the
 * library keeps as long as the dialog. The descriptions are those of the call, once in memory.
 * @param own copies the texts that remain
 */
export function slimDialog(
  dialog: Dialog,
  descriptions: { readonly local: string | undefined; readonly remote: string | undefined },
  own: OwnText,
): void {
  const kept = dialog as unknown as LibraryDialog;
  const { req, res, sip, local, remote } = kept;
  if (res instanceof KeptMessage) return;
  kept.req = new KeptMessage(req, own) as unknown as LibraryDialog['req'];
  kept.res = new KeptMessage(res, own) as unknown as LibraryDialog['res'];
  Object.assign(sip, {
    callId: own(sip.callId),
    localTag: own(sip.localTag),
    remoteTag: sip.remoteTag === undefined ? undefined : own(sip.remoteTag),
  });
  local.uri = own(local.uri);
  local.contact = own(local.contact);
  local.sdp = descriptions.local ?? local.sdp;
  remote.uri = own(remote.uri);
  remote.sdp = descriptions.remote ?? remote.sdp;
}
