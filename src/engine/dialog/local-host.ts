const placeholder = '@localhost';

function endsHost(code: number): boolean {
  // End of text, '>', ';', '?', ',', or white space.
  return (
    Number.isNaN(code) ||
    code === 62 ||
    code === 59 ||
    code === 63 ||
    code === 44 ||
    code === 32 ||
    code === 9
  );
}

/** The index after an optional `:port` at `from`, or -1 when what follows belongs to a longer host name. */
function hostEnd(value: string, from: number): number {
  let at = from;
  if (value.charCodeAt(at) === 58) {
    at++;
    while (value.charCodeAt(at) >= 48 && value.charCodeAt(at) <= 57) at++;
  }
  return endsHost(value.charCodeAt(at)) ? at : -1;
}

/**
 * Replaces the host `localhost` in an address by `host:port` (wire protocol §7.1): only after a user part, only the
 * exact name, with or without a port. `hostPort` is written as is, an IPv6 literal in brackets.
 */
export function substituteLocalHost(value: string, hostPort: string): string {
  const lower = value.toLowerCase();
  let at = lower.indexOf(placeholder);
  if (at < 0) return value;
  let result = '';
  let copied = 0;
  while (at >= 0) {
    const end = hostEnd(value, at + placeholder.length);
    if (end >= 0 && !isQuoted(value, at)) {
      result += `${value.slice(copied, at)}@${hostPort}`;
      copied = end;
    }
    at = lower.indexOf(placeholder, at + placeholder.length);
  }
  return result + value.slice(copied);
}

function isQuoted(value: string, position: number): boolean {
  if (!value.includes('"')) return false;
  let quoted = false;
  for (let i = 0; i < position; i++) {
    const code = value.charCodeAt(i);
    if (quoted && code === 92) i++;
    else if (code === 34) quoted = !quoted;
  }
  return quoted;
}

/** An address in the form with angle brackets: `sip:a@b;tag=1` → `<sip:a@b>;tag=1` (RFC 3261 §20.10). */
export function bracketed(value: string): string {
  if (value.includes('<')) return value;
  const scheme = value.indexOf(':');
  if (scheme <= 0 || value.charCodeAt(0) === 34) return value;
  const parameters = value.indexOf(';');
  return parameters < 0
    ? `<${value}>`
    : `<${value.slice(0, parameters).trimEnd()}>${value.slice(parameters)}`;
}
