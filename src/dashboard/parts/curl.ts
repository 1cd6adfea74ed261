import { escapeHidden } from '../../contract/hidden-characters.js';
import type { WrittenRequest } from '../api/request.js';

/** API requests as commands for a POSIX shell. */

/** One word of a shell: nothing between single quotes has a meaning, except the quote that ends them. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const secretName = /(^|_)(password|secret|token|api_key|pin)$/;
const mostOnOneLine = 60;

export interface CurlCommand {
  readonly text: string;
  /** Placeholders in the text, each for a secret that the reader fills in. */
  readonly placeholders: readonly string[];
}

/**
 * The command that sends the request with the API key of the variable `DEMARC_API_KEY`. Secrets become placeholders, such as
 * `<sip_password>`; control and direction-changing characters become JSON escapes, because a terminal obeys them.
 * @param origin `https://host:port` of the API
 */
export function curlOf({ method, path, headers, body }: WrittenRequest, origin: string): CurlCommand {
  const placeholders = new Set<string>();
  const lines = [`curl ${methodOption(method, body)}${shellWord(origin + path)}`];
  lines.push('-H "Authorization: Bearer $DEMARC_API_KEY"');
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'authorization')
      lines.push(`-H ${shellWord(`${headerName(name)}: ${value}`)}`);
  }
  if (body !== undefined) lines.push(`-d ${shellWord(shownBody(body, placeholders))}`);
  return { text: lines.join(' \\\n  '), placeholders: [...placeholders] };
}

/** curl itself chooses GET, and POST with a body. */
function methodOption(method: string, body: string | undefined): string {
  const chosen = body === undefined ? 'GET' : 'POST';
  return method === chosen ? '' : `-X ${method} `;
}

/** `idempotency-key` → `Idempotency-Key`. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

function shownBody(body: string, placeholders: Set<string>): string {
  const shown: unknown = JSON.parse(body, (name, value: unknown) => {
    if (typeof value !== 'string' || !secretName.test(name) || value === '[redacted]') return value;
    placeholders.add(`<${name}>`);
    return `<${name}>`;
  });
  const line = JSON.stringify(shown);
  return escapeHidden(line.length <= mostOnOneLine ? line : JSON.stringify(shown, null, 2));
}
