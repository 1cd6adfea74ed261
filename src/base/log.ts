import { type DestinationStream, type Logger, type LoggerOptions, pino } from 'pino';
import { standardOutput } from './log-destination.js';
import type { LogLevel } from './log-level.js';

export type { Logger };

/** Fields that never belong in a line, at whatever depth an object carries them. Compared in lower case. */
const secretFields: ReadonlySet<string> = new Set([
  'password',
  'sip_password',
  'secret',
  'secretkey',
  'key',
  'apikey',
  'api_key',
  'token',
  'hash',
  'ha1',
  'response',
  'cnonce',
  'authorization',
  'proxy-authorization',
  'cookie',
  'sdp',
  'body',
]);

/** Objects of a log line are shallow; anything deeper is a whole state object and is cut off. */
const maximumDepth = 4;

/** A number is no secret: a status may be called a response. */
const censor = (value: unknown): unknown =>
  typeof value === 'string' || (typeof value === 'object' && value !== null) ? '[redacted]' : value;

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

/** Type, message, stack and cause only: errors of libraries also carry what was sent, as the arguments of a Redis command. */
function errorFields(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, code, cause } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    stack,
    ...(code !== undefined && { code }),
    ...(cause instanceof Error && { cause: errorFields(cause) }),
  };
}

const serializers: NonNullable<LoggerOptions['serializers']> = {
  // Fields given to `child` bypass the formatter, but not these.
  ...Object.fromEntries([...secretFields].map((name) => [name, censor])),
  err: errorFields,
};

/** `role` and `edge` are fields of every line. */
export interface LogOptions {
  readonly level: LogLevel;
  readonly role: string;
  /** The edge's id, when the role has one per process. */
  readonly edge?: string;
}

/**
 * The logger of one process: JSON lines with ISO times.
 * @param destination of the lines; standard output by default
 */
export function createLog(
  { level, ...base }: LogOptions,
  destination: DestinationStream = standardOutput,
): Logger {
  return pino(
    {
      level,
      base,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { log: (fields) => withoutSecrets(fields) },
      serializers,
    },
    destination,
  );
}
