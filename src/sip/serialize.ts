import type { SipMessage } from './message.js';

/** The last message written: one is sent to the network and, a moment later, reported to the application. */
let last: Written | undefined;

interface Written {
  readonly message: SipMessage;
  readonly revision: number;
  readonly body: string;
  readonly bytes: string;
}

/**
 * The octets of a message, as a byte string. Header order is that of `headers`; Content-Length is always the true length
 * and stands where the first one stood, else last. CR and LF inside a start line or value become one blank, so no text
 * can add a header line or end the head.
 */
export function serialize(message: SipMessage): string {
  const { body, headers } = message;
  const { revision } = headers;
  if (last?.message === message && last.revision === revision && last.body === body) return last.bytes;
  const bytes = write(message);
  last = { message, revision, body, bytes };
  return bytes;
}

function write(message: SipMessage): string {
  let text =
    message.kind === 'request'
      ? `${oneLine(message.method)} ${oneLine(message.uri)} SIP/${message.version}\r\n`
      : `SIP/${message.version} ${message.status} ${oneLine(message.reason)}\r\n`;
  let hasLength = false;
  message.headers.forEach((name, value) => {
    if (name === 'Content-Length') {
      if (!hasLength) text += `Content-Length: ${message.body.length}\r\n`;
      hasLength = true;
    } else text += `${name}: ${oneLine(value)}\r\n`;
  });
  if (!hasLength) text += `Content-Length: ${message.body.length}\r\n`;
  return `${text}\r\n${message.body}`;
}

function oneLine(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, ' ') : text;
}
