import { compactNameOf } from './header-name.js';
import { trimWhiteSpace } from './text.js';

/** The first value of a header in a head that isn't parsed, unfolded; undefined when there is none. */
export type HeaderScan = (head: string) => string | undefined;

/**
 * Finds one header by a regular expression: traces need four of a message's fifteen headers, and parsing them all costs half
 * of what a trace costs. The name in canonical spelling; its compact form and other capitals are found too.
 */
export function headerScan(name: string): HeaderScan {
  const compact = compactNameOf(name);
  const names = compact === undefined ? name : `${name}|${compact}`;
  const pattern = new RegExp(`\\r\\n(?:${names})[ \\t]*:[ \\t]*([^\\r]*)`, 'i');
  return (head) => {
    const match = pattern.exec(head);
    if (match === null) return undefined;
    const next = head.charCodeAt(match.index + match[0].length + 2);
    return trimWhiteSpace(next === 32 || next === 9 ? unfold(head, match) : match[1]!);
  };
}

/** The value with its continuation lines, each joined by one blank (RFC 3261 §7.3.1). */
function unfold(head: string, { index, 0: line, 1: value = '' }: RegExpExecArray): string {
  const rest = /^(?:\r\n[ \t][^\r]*)*/.exec(head.slice(index + line.length))?.[0] ?? '';
  return value + rest.replace(/[ \t]*\r\n[ \t]+/g, ' ');
}
