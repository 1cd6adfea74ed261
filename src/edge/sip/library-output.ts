import type { Logger } from '../../base/log.js';

const maximumCharacters = 120;

/** The first line of library output: later lines may be a SIP message with keys. */
function beginning(value: unknown): string {
  const text = value instanceof Error ? value.message : String(value);
  return text.split(/[\r\n]/, 1)[0]!.slice(0, maximumCharacters);
}

/**
 * Sends what libraries print on the console to the log, shortened. drachtio-srf prints whole messages that it cannot parse,
 * and SDES keys and digest answers belong in no log.
 */
export function logLibraryOutput(log: Logger): void {
  const toLog = (...values: unknown[]): void => {
    log.warn({ said: values.map(beginning).join(' ') }, 'A library printed something.');
  };
  console.error = toLog;
  console.warn = toLog;
  console.log = toLog;
}
