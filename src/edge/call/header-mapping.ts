import { type HeaderMapping, headerVariablePrefix, isHeaderText } from '../../contract/header-mapping.js';
import { type Parameters, parseParameters } from '../../sip/parameters.js';
import { endOfQuoted, isToken, quote, splitList, unquote } from '../../sip/text.js';

/**
 * Between the trunk's headers and the agent's variables. On the agent's leg a variable is a header line of the variable's
 * name. Text that could end a line is dropped, not repaired.
 */

/** The value of a header line; undefined when there is none. */
export type HeaderReader = (name: string) => string | undefined;
type Lines = Readonly<Record<string, string>>;

/** User-to-User values are far shorter in practice; longer text is not decoded. */
const maximumUuiOctets = 2_048;

/** Maps a message from the trunk to variables for the agent. */
export function variablesOf(mappings: readonly HeaderMapping[], header: HeaderReader): Lines {
  const variables: Record<string, string> = {};
  for (const mapping of mappings) {
    const value =
      mapping.type === 'uui'
        ? decodeUui(header('User-to-User'), mapping)
        : mapping.passthrough
          ? mapping.value
          : header(mapping.key);
    put(variables, variableOf(mapping), value);
  }
  return variables;
}

/** The variable that an inbound mapping fills. */
export const variableOf = (mapping: HeaderMapping): string =>
  mapping.type === 'uui' ? mapping.target : mapping.passthrough ? mapping.key : mapping.value;

/** Maps a message from the agent to header lines for the trunk. */
export function trunkHeadersOf(mappings: readonly HeaderMapping[], variable: HeaderReader): Lines {
  const headers: Record<string, string> = {};
  for (const mapping of mappings) {
    if (mapping.type === 'uui') {
      const encoded = encodeUui(variable(mapping.target), mapping);
      const before = headers['User-to-User'];
      put(
        headers,
        'User-to-User',
        before === undefined || encoded === undefined ? encoded : `${before}, ${encoded}`,
      );
    } else if (mapping.passthrough) {
      if (mapping.value !== '') put(headers, mapping.key, mapping.value);
    } else put(headers, mapping.value, variable(mapping.key));
  }
  return headers;
}

/** Lower-case names of headers that the trunk must not get from us: constants without text. */
export const removedHeadersOf = (mappings: readonly HeaderMapping[]): ReadonlySet<string> =>
  new Set(
    mappings.flatMap((mapping) =>
      mapping.type === 'custom' && mapping.passthrough && mapping.value === ''
        ? [mapping.key.toLowerCase()]
        : [],
    ),
  );

/** Every `X-` header of the trunk as `sip_header_<lower-case name>`; those with our own prefix are dropped. */
export function headerVariablesOf(headerNames: readonly string[], header: HeaderReader): Lines {
  const variables: Record<string, string> = {};
  for (const name of headerNames) {
    const lower = name.toLowerCase();
    if (!lower.startsWith('x-') || lower.startsWith('x-demarc-') || !isToken(lower)) continue;
    put(variables, `${headerVariablePrefix}${lower}`, header(name));
  }
  return variables;
}

function put(lines: Record<string, string>, name: string, value: string | undefined): void {
  if (value !== undefined && isHeaderText(value)) lines[name] = value;
}

type Uui = Extract<HeaderMapping, { type: 'uui' }>;

/** RFC 7433 §4.1: the first value whose purpose and content are the mapping's, decoded. */
function decodeUui(header: string | undefined, { purpose, content, encoding }: Uui): string | undefined {
  if (header === undefined || header.length > maximumUuiOctets) return undefined;
  for (const value of splitList(header)) {
    const read = readUui(value);
    if (read === undefined) continue;
    const isWanted = (name: string, wanted: string | undefined): boolean =>
      wanted === undefined || unquote(read.parameters.get(name) ?? '').toLowerCase() === wanted.toLowerCase();
    if (!isWanted('purpose', purpose) || !isWanted('content', content)) continue;
    const said = unquote(read.parameters.get('encoding') ?? encoding).toLowerCase();
    return said === 'hex' ? decodeHex(read.data) : read.data;
  }
  return undefined;
}

function readUui(value: string): { data: string; parameters: Parameters } | undefined {
  const isQuoted = value.startsWith('"');
  const semicolon = value.indexOf(';');
  const end = isQuoted ? endOfQuoted(value, 0) : semicolon < 0 ? value.length : semicolon;
  if (end < 0) return undefined;
  const parameters = parseParameters(value, end);
  return parameters === undefined ? undefined : { data: unquote(value.slice(0, end).trim()), parameters };
}

/** UTF-8; a leading protocol discriminator (ITU-T Q.931, as gateways put before text) is left out. */
function decodeHex(data: string): string | undefined {
  if (data.length % 2 !== 0 || !/^[0-9a-f]+$/i.test(data)) return undefined;
  const bytes = Buffer.from(data, 'hex');
  const start = bytes[0]! < 0x20 ? 1 : 0;
  return bytes.subarray(start).toString('utf8');
}

function encodeUui(text: string | undefined, { purpose, content, encoding }: Uui): string | undefined {
  if (text === undefined || text === '' || !isHeaderText(text)) return undefined;
  const data =
    encoding === 'hex' ? Buffer.from(text, 'utf8').toString('hex') : isToken(text) ? text : quote(text);
  const parameters = { purpose, content, encoding };
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : `;${name}=${value}`,
  );
  return data + given.join('');
}
