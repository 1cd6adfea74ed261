import { trimWhiteSpace } from './text.js';

const headEnd = '\r\n\r\n';
const usualSpelling = '\r\nCall-ID:';
const anySpelling = /\n(?:call-id|i)[ \t]*:([^\r\n]*)/i;

/**
 * The Call-ID of a message that has not been parsed, as a byte string; undefined when its head has none. Captures need
 * nothing else of a message, so this doesn't parse the rest.
 * @param message octets, or a byte string
 */
export function findCallId(message: string | Buffer): string | undefined {
  const end = message.indexOf(headEnd);
  const line = message.indexOf(usualSpelling);
  // A body may quote another message: only the head counts.
  if (line >= 0 && (end < 0 || line < end)) return valueFrom(message, line + usualSpelling.length);
  const head = textOf(message, 0, end < 0 ? message.length : end);
  return nonEmpty(anySpelling.exec(head)?.[1] ?? '');
}

function valueFrom(message: string | Buffer, start: number): string | undefined {
  const end = message.indexOf('\r\n', start);
  return nonEmpty(textOf(message, start, end < 0 ? message.length : end));
}

function nonEmpty(text: string): string | undefined {
  const value = trimWhiteSpace(text);
  return value === '' ? undefined : value;
}

const textOf = (message: string | Buffer, start: number, end: number): string =>
  typeof message === 'string' ? message.slice(start, end) : message.toString('latin1', start, end);
