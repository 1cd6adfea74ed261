import { type DestinationStream, type Logger, pino } from 'pino';
import { standardOutput } from '../base/log-destination.js';
import type { ControlSettings } from '../config/control-settings.js';

export type { Logger };

/** Fields that never belong in a line, wherever a careless object carries them. */
const secretFields = ['password', 'sip_password', 'secret', 'key', 'hash', 'authorization', 'body'];

/** The process's logger: JSON lines with `role`. Give `destination` to catch the lines (tests); stdout otherwise. */
export function createLog(
  settings: Pick<ControlSettings, 'log'>,
  destination: DestinationStream = standardOutput,
): Logger {
  const options = {
    level: settings.log.level,
    base: { role: 'control' },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secretFields.flatMap((field) => [`["${field}"]`, `*["${field}"]`, `*.*["${field}"]`]),
      censor: '[redacted]',
    },
  };
  return pino(options, destination);
}
