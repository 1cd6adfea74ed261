import { type DestinationStream, type Logger, pino } from 'pino';
import { standardOutput } from '../base/log-destination.js';
import type { LogLevel } from '../config/edge-settings.js';

export type { Logger };

/** Fields that never belong in a line, wherever a careless object carries them. */
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'secret',
  'ha1',
  'response',
  'cnonce',
  'authorization',
  'proxy-authorization',
  'sdp',
  'body',
]);

/** Objects of a log line are shallow; what lies deeper is somebody's whole state and is cut off. */
const maximumDepth = 4;

/** A status is no secret though it may be called a response. */
const censor = (value: unknown): unknown =>
  typeof value === 'string' || typeof value === 'object' ? '[redacted]' : value;

/**
 * A copy without secrets, or the object itself when it holds none. pino's own `redact` does the same for paths, at ten
 * times the price of writing the line.
 */
function withoutSecrets(fields: Record<string, unknown>, depth = 1): Record<string, unknown> {
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const value = fields[name];
    let kept = value;
    if (secretFields.has(name) || secretFields.has(name.toLowerCase())) {
      kept = censor(value);
    } else if (typeof value === 'object' && value !== null && !(value instanceof Error)) {
      kept = depth < maximumDepth ? withoutSecrets(value as Record<string, unknown>, depth + 1) : '[deeper]';
    }
    if (kept === value) continue;
    copy ??= Array.isArray(fields) ? ([...fields] as unknown as Record<string, unknown>) : { ...fields };
    copy[name] = kept;
  }
  return copy ?? fields;
}

/**
 * The process's logger: JSON lines with `role` and `edge`. Give `destination` to catch the lines (tests);
 * stdout otherwise.
 */
export function createLog(
  settings: { readonly edgeId: string; readonly log: { readonly level: LogLevel } },
  role = 'edge',
  destination: DestinationStream = standardOutput,
): Logger {
  const options = {
    level: settings.log.level,
    base: { role, edge: settings.edgeId },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { log: (fields: Record<string, unknown>) => withoutSecrets(fields) },
    // Fields given to `child` pass by the formatter, but not by these.
    serializers: Object.fromEntries([...secretFields].map((name) => [name, censor])),
  };
  return pino(options, destination);
}

/** A logger whose every line carries the call's id. */
export function callLogger(log: Logger, callId: string): Logger {
  return log.child({ call: callId });
}
