import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config/edge-settings.js';

export type { Logger };

/** Fields that never belong in a line, wherever a careless object carries them. */
const secretFields = [
  'password',
  'secret',
  'ha1',
  'response',
  'cnonce',
  'authorization',
  'proxy-authorization',
  'sdp',
  'body',
];

/**
 * The process's logger: JSON lines with `role` and `edge`. Give `destination` to catch the lines (tests);
 * stdout otherwise.
 */
export function createLog(
  settings: { readonly edgeId: string; readonly log: { readonly level: LogLevel } },
  role = 'edge',
  destination?: DestinationStream,
): Logger {
  const options = {
    level: settings.log.level,
    base: { role, edge: settings.edgeId },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Standard output in writes of several lines: a system call for each line would be a tenth of what a call costs us. Lines
 * are at most a quarter of a second late, and the last ones leave when the process ends.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 250 });
}

/** A logger whose every line carries the call's id. */
export function callLogger(log: Logger, callId: string): Logger {
  return log.child({ call: callId });
}
