import type { SipMessage } from './message.js';
import type { Parameters } from './parameters.js';
import { parseParameters } from './parameters.js';
import { isToken, splitList, trimWhiteSpace } from './text.js';
import { parseHostPort } from './uri.js';

/** One Via value: RFC 3261 §20.42. */
export interface Via {
  /** Upper case. */
  transport: string;
  /** Without brackets. */
  host: string;
  port?: number;
  branch?: string;
  /** Only when it is not 2.0. */
  version?: string;
  /** All parameters, `branch` too: names in lower case, values as they came. */
  parameters: Parameters;
}

/** Reads one value (not a list). LWS is allowed around the slashes and the colon. Undefined when malformed; never throws. */
export function parseVia(value: string): Via | undefined {
  const semicolon = value.indexOf(';');
  const head = semicolon < 0 ? value : value.slice(0, semicolon);
  const protocolEnd = head.indexOf('/');
  const versionEnd = head.indexOf('/', protocolEnd + 1);
  if (protocolEnd < 0 || versionEnd < 0) return undefined;
  if (trimWhiteSpace(head.slice(0, protocolEnd)).toUpperCase() !== 'SIP') return undefined;
  const version = trimWhiteSpace(head.slice(protocolEnd + 1, versionEnd));
  if (version !== '2.0' && !/^\d+\.\d+$/.test(version)) return undefined;
  const rest = trimWhiteSpace(head.slice(versionEnd + 1));
  const transportEnd = rest.search(/\s/);
  if (transportEnd < 0) return undefined;
  const transport = rest.slice(0, transportEnd);
  if (!isToken(transport)) return undefined;
  const hostPort = parseHostPort(withoutBlanksAtColon(trimWhiteSpace(rest.slice(transportEnd))));
  if (hostPort === undefined) return undefined;
  const parameters: Parameters | undefined = semicolon < 0 ? new Map() : parseParameters(value, semicolon);
  if (parameters === undefined) return undefined;
  const via: Via = { transport: transport.toUpperCase(), host: hostPort.host, parameters };
  if (hostPort.port !== undefined) via.port = hostPort.port;
  const branch = parameters.get('branch');
  if (branch !== undefined) via.branch = branch;
  if (version !== '2.0') via.version = version;
  return via;
}

const usualProtocol = 'SIP/2.0/';

/** The transport of one value, upper case, without reading the rest. */
export function viaTransport(value: string): string | undefined {
  const blank = value.indexOf(' ');
  if (blank > 0 && value.startsWith(usualProtocol))
    return value.slice(usualProtocol.length, blank).toUpperCase();
  return /^SIP\s*\/\s*\d+\.\d+\s*\/\s*([^\s;]+)/i.exec(value)?.[1]?.toUpperCase();
}

/** `host : port` → `host:port`. */
function withoutBlanksAtColon(sentBy: string): string {
  if (!/\s/.test(sentBy)) return sentBy;
  return sentBy.split(':').map(trimWhiteSpace).join(':');
}

/** The topmost Via, also when its line lists several. */
export function topVia(message: SipMessage): Via | undefined {
  const line = message.headers.get('Via');
  if (line === undefined) return undefined;
  return parseVia(line.includes(',') ? (splitList(line)[0] ?? '') : line);
}
