import type { Logger } from 'pino';
import { standardOutput } from './log-destination.js';

/** What a process survived since its start; for its metrics. */
export const survivedFaults = { unhandledRejections: 0 };

/** A write that the system refuses because of its disk says nothing about our own state. */
const diskCodes: ReadonlySet<string> = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EFBIG']);

export const isDiskFault = (fault: NodeJS.ErrnoException): boolean => diskCodes.has(fault.code ?? '');

const maximumCharacters = 200;
const maximumFrames = 8;

/** The first line of the message, which may quote a SIP message with secrets further down, and the stack's frames. */
export function faultFields(fault: unknown): { readonly error: string; readonly stack?: string } {
  if (!(fault instanceof Error)) return { error: firstLine(String(fault)) };
  const frames = fault.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
  return {
    error: firstLine(`${fault.name}: ${fault.message}`),
    stack: frames
      .slice(0, maximumFrames)
      .map((frame) => frame.trim())
      .join('\n'),
  };
}

const firstLine = (text: string): string => text.split(/[\r\n]/, 1)[0]!.slice(0, maximumCharacters);

/**
 * How a role handles faults that its code did not catch. A rejected promise without a handler ends one piece of work
 * and is logged and counted: the other calls of this process continue. So is a write that fails because a disk is full. An exception
 * leaves the process in an unknown state: it ends with status 1, its last log line says why, and its supervisor starts it again.
 */
export function surviveFaults(log: Logger): void {
  process.on('unhandledRejection', (fault) => {
    survivedFaults.unhandledRejections++;
    log.error(faultFields(fault), 'Unhandled promise rejection.');
  });
  process.on('uncaughtException', (fault: NodeJS.ErrnoException) => {
    if (isDiskFault(fault)) {
      log.error(faultFields(fault), 'The disk refused a write.');
      return;
    }
    log.fatal(faultFields(fault), 'Uncaught exception.');
    process.exit(1);
  });
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  standardOutput.onRecovery = (lines, error) =>
    log.warn({ lines, error }, 'Log lines were dropped because they could not be written.');
}
