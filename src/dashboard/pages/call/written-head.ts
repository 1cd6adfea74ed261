/** The header lines of a message as written, with names separate so that they can be highlighted. */
export interface WrittenHead {
  readonly startLine: string;
  /** `name` is empty for a continuation line or a line without colon; `value` starts with the whitespace after the colon. */
  readonly lines: readonly { readonly name: string; readonly value: string }[];
}

export function writtenHead(message: string): WrittenHead {
  const text = message.replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  const [startLine = '', ...rest] = (end < 0 ? text.trimEnd() : text.slice(0, end)).split('\n');
  const lines = rest.map((line) => {
    const colon = /^[ \t]/.test(line) ? -1 : line.indexOf(':');
    return { name: line.slice(0, Math.max(colon, 0)), value: line.slice(colon + 1) };
  });
  return { startLine, lines };
}
