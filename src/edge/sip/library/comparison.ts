import { isDeepStrictEqual } from 'node:util';
import type { Internals, LibraryMessage } from './internals.js';
import type { WritableMessage } from './message-text.js';
import type { MessageReading } from './messages.js';

const fields = ['method', 'uri', 'status', 'reason', 'version', 'headers', 'body', 'payload'] as const;

/** The same, except that each message is also read and written by the library. Throws where the two differ. */
export function comparedWithLibrary(
  reading: MessageReading,
  { Message, parser }: Pick<Internals, 'Message' | 'parser'>,
): MessageReading {
  const { parseSipMessage, stringifySipMessage } = parser;
  const compare = (message: LibraryMessage | undefined, text: string): void => {
    const theirs = parseSipMessage(text, true) === undefined ? undefined : new Message(text);
    for (const field of fields) {
      if (isDeepStrictEqual(message?.[field], theirs?.[field])) continue;
      throw new Error(
        `drachtio-srf reads '${field}' differently: ${JSON.stringify({ ours: message?.[field], theirs: theirs?.[field], text })}`,
      );
    }
  };
  return {
    received: (text) => {
      const message = reading.received(text);
      compare(message, text);
      return message;
    },
    sent: (text) => {
      const message = reading.sent(text);
      compare(message, text);
      return message;
    },
    write: (message: WritableMessage) => {
      const text = reading.write(message);
      const theirs =
        text === undefined ? text : stringifySipMessage({ ...message, headers: { ...message.headers } });
      if (text !== theirs) {
        throw new Error(`drachtio-srf writes a message differently: ${JSON.stringify({ text, theirs })}`);
      }
      return text;
    },
  };
}
