/** The head of a message as it was written, its names apart so that they can be set off. */
export interface WrittenHead {
  readonly startLine: string;
  /** `name` is empty for a continuation line, or one without colon; `value` starts with the blanks after the colon. */
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
