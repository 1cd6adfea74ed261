import { watchFile } from 'node:fs';

const pollMilliseconds = 2_000;
const settleMilliseconds = 500;
const dayMilliseconds = 86_400_000;
/** Authorities renew thirty days before the end: with half of that left, renewal has failed. */
const warningDays = 14;

/** Runs `act` when one of the files changes on disk, until the process ends. */
export function whenFilesChange(files: readonly (string | undefined)[], act: () => void): void {
  let pending: NodeJS.Timeout | undefined;
  for (const file of files) {
    if (file === undefined) continue;
    // Polled, because certificates are renewed by renaming files and swapping links, which lose a watched inode.
    watchFile(file, { persistent: false, interval: pollMilliseconds }, (now, before) => {
      if (now.mtimeMs === before.mtimeMs && now.ino === before.ino) return;
      // Key and certificate change one after the other; both must be there before they are read.
      clearTimeout(pending);
      pending = setTimeout(act, settleMilliseconds);
      pending.unref();
    });
  }
}

/**
 * Warning about a certificate that expires soon, in one sentence; undefined: none.
 * @param expiresAt Unix milliseconds; undefined: there is no certificate
 */
export function expiryWarning(expiresAt: number | undefined, now: number = Date.now()): string | undefined {
  if (expiresAt === undefined) return undefined;
  const days = Math.floor((expiresAt - now) / dayMilliseconds);
  const at = new Date(expiresAt).toISOString();
  if (expiresAt <= now) return `The certificate expired on ${at}: peers refuse it. Renew it.`;
  return days >= warningDays ? undefined : `The certificate expires in ${days} days, on ${at}. Renew it.`;
}

/** Calls `warn` once a day while the certificate is about to expire. */
export function warnOfExpiry(expiresAt: () => number | undefined, warn: (text: string) => void): void {
  const look = (): void => {
    const text = expiryWarning(expiresAt());
    if (text !== undefined) warn(text);
  };
  look();
  setInterval(look, dayMilliseconds).unref();
}
