import { tagOf } from '../../sip/address.js';
import { Headers } from '../../sip/headers.js';
import type { SipMessage } from '../../sip/message.js';
import { serialize } from '../../sip/serialize.js';
import type { Reply, SentMessage } from '../dialog/application.js';
import { type AppConnection, callIdOf, hasMethod } from './app-connection.js';
import type { FrameKind, Urgency } from './frame-queue.js';
import { metaBlock } from './meta.js';

/** What dialogs, and further requests, are made of. */
const lasting: ReadonlySet<string> = new Set([
  ...['From', 'To', 'Call-ID', 'CSeq', 'Contact', 'Route', 'Record-Route', 'RSeq', 'Content-Type'],
]);

function withLasting(message: SipMessage): SipMessage {
  const headers = new Headers();
  message.headers.forEach((name, value) => {
    if (lasting.has(name)) headers.addCanonical(name, value);
  });
  return { ...message, headers };
}

/** A message in a reply. */
interface Description {
  readonly meta: string;
  readonly text: string;
}

/** The one reply to a frame of an application (wire protocol §5.3). */
export class FrameReply implements Reply {
  private isSent = false;

  constructor(
    private readonly connection: AppConnection,
    private readonly messageId: string,
  ) {}

  requestSent(sent: SentMessage): void {
    const { message } = sent;
    const { headers } = message;
    const isAck = hasMethod(message, 'ACK');
    // Within dialogs the library has its listeners ready; outside, applications attach them after this reply.
    const isNew = tagOf(headers.get('To') ?? '') === undefined;
    const { meta, text } = this.describe(sent);
    this.ok(
      `${meta}|${sent.transactionId}|Msg sent:|\r\n${text}`,
      callIdOf(message),
      isNew ? 'opens' : 'plain',
      isAck ? 'soon' : this.connection.leisure,
    );
  }

  responseSent(sent: SentMessage): void {
    const { message } = sent;
    const isInvite = hasMethod(message, 'INVITE');
    const isSuccess = message.kind === 'response' && message.status >= 200 && message.status < 300;
    const opensDialog = isSuccess && isInvite;
    const { meta, text } = this.describe(sent);
    this.ok(
      `${meta}|${sent.transactionId}|${sent.dialogId}||Msg sent:|\r\n${text}`,
      callIdOf(message),
      opensDialog ? 'opens' : 'plain',
      opensDialog ? this.connection.leisure : 'soon',
    );
  }

  refused(text: string): void {
    if (this.isSent) return;
    this.isSent = true;
    this.connection.queue(`response|${this.messageId}|NOK|${text}`);
  }

  /** The size is that of the message as it was sent, also where the reply repeats less of it. */
  private describe({ message, isPending, protocol, address, port }: SentMessage): Description {
    const isShort = this.connection.wantsShortReplies;
    const text = serialize(isShort ? withLasting(message) : message);
    const sent = isShort && !isPending ? serialize(message) : text;
    const size = isPending ? 0 : sent.length;
    return { meta: metaBlock('application', size, protocol, address, port, this.connection.time()), text };
  }

  private ok(rest: string, callId: string, kind: FrameKind, urgency: Urgency): void {
    if (this.isSent) return;
    this.isSent = true;
    this.connection.queue(`response|${this.messageId}|OK|${rest}`, callId, kind, urgency);
  }
}
