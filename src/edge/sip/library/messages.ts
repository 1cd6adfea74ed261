import type { Internals, LibraryMessage } from './internals.js';
import {
  type HeaderNaming,
  type ParsedText,
  readMessage,
  type WritableMessage,
  writeMessage,
} from './message-text.js';

/** What reads and writes messages in place of the library's parser. */
export interface MessageReading {
  /** Undefined: the library must write it. */
  write(message: WritableMessage): string | undefined;
  /** A message from the network. Undefined: the library's parser cannot read it either. */
  received(text: string): LibraryMessage | undefined;
  /** A message as the engine sent it for us, read when a field is first asked for; most fields of most messages never are. */
  sent(text: string): LibraryMessage;
}

/** Plain objects of the library's class: its constructor would copy every field. */
export function messageReading(
  { Message, parser }: Pick<Internals, 'Message' | 'parser'>,
  spell: HeaderNaming,
): MessageReading {
  const { parseSipMessage } = parser;
  class ReceivedMessage {
    readonly headers: Record<string, string>;
    readonly body: string;
    readonly method: string | undefined;
    readonly uri: string | undefined;
    readonly status: number | undefined;
    readonly reason: string | undefined;
    readonly version: string;
    constructor({ headers, body, method, uri, status, reason, version }: ParsedText) {
      this.headers = headers;
      this.body = body;
      this.method = method;
      this.uri = uri;
      this.status = status;
      this.reason = reason;
      this.version = version;
    }
    get payload(): unknown {
      return [{ type: this.headers['content-type'], content: this.body }];
    }
  }
  Object.setPrototypeOf(ReceivedMessage.prototype, Message.prototype);

  const received = (text: string): LibraryMessage | undefined => {
    const parsed = readMessage(text, spell);
    if (parsed !== undefined) return new ReceivedMessage(parsed) as unknown as LibraryMessage;
    return parseSipMessage(text, true) === undefined ? undefined : new Message(text);
  };

  class SentMessage {
    private text: string;
    private message: LibraryMessage | undefined;
    constructor(text: string) {
      this.text = text;
      this.message = undefined;
    }
    get whole(): LibraryMessage {
      if (this.message === undefined) {
        this.message = received(this.text);
        if (this.message === undefined) throw new Error('failed to parse sip message');
        this.text = '';
      }
      return this.message;
    }
  }
  for (const field of [
    'headers',
    'body',
    'method',
    'version',
    'status',
    'reason',
    'uri',
    'payload',
  ] as const) {
    Object.defineProperty(SentMessage.prototype, field, {
      get(this: SentMessage) {
        return this.whole[field];
      },
      set(this: SentMessage, value: never) {
        this.whole[field] = value;
      },
    });
  }
  Object.setPrototypeOf(SentMessage.prototype, Message.prototype);
  return {
    write: writeMessage,
    received,
    sent: (text) => new SentMessage(text) as unknown as LibraryMessage,
  };
}
