import { parseParameters } from './parameters.js';

/** One part of a multipart body (RFC 2046 §5.1), as far as SIP needs it. */
export interface BodyPart {
  /** Media type in lower case, without parameters; text/plain where none is named. */
  readonly type: string;
  /** RFC 3261 §20.11: what becomes of a part that is not understood; undefined: not stated. */
  readonly handling: string | undefined;
}

const maximumParts = 20;

/** The parts of a multipart body, without those nested in them. */
export function bodyParts(contentType: string, body: string): readonly BodyPart[] {
  const at = contentType.indexOf(';');
  const parameter = at < 0 ? undefined : parseParameters(contentType, at)?.get('boundary');
  const boundary = parameter?.replace(/^"(.*)"$/s, '$1');
  if (boundary === undefined || boundary === '') return [];
  const [, ...sections] = `\r\n${body}`.split(`\r\n--${boundary}`, maximumParts + 1);
  return sections.filter((section) => !section.startsWith('--')).map(readPart);
}

function readPart(section: string): BodyPart {
  const head = section.slice(0, section.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ');
  const header = (name: string): string | undefined =>
    new RegExp(`^${name}[ \\t]*:(.*)$`, 'im').exec(head)?.[1]?.trim();
  const type = (header('Content-Type') ?? 'text/plain').split(';', 1)[0]!.trim().toLowerCase();
  const disposition = header('Content-Disposition') ?? '';
  const at = disposition.indexOf(';');
  const handling = at < 0 ? undefined : parseParameters(disposition, at)?.get('handling')?.toLowerCase();
  return { type, handling };
}
