import type { Edits } from './edits.js';

/** What was typed in a form, kept in the tab until it is saved. Secrets are not kept. */

const prefix = 'demarc-form:';
const isSecret = (path: string): boolean => /(^|[._])(password|secret)$/.test(path);

export function keptEdits(key: string): Edits {
  try {
    return JSON.parse(sessionStorage.getItem(prefix + key) ?? '{}') as Edits;
  } catch {
    return {};
  }
}

export function keepEdits(key: string, edits: Edits): void {
  const kept = Object.entries(edits).filter(([path]) => !isSecret(path));
  if (kept.length === 0) forgetEdits(key);
  else tryStorage(() => sessionStorage.setItem(prefix + key, JSON.stringify(Object.fromEntries(kept))));
}

export const forgetEdits = (key: string): void => tryStorage(() => sessionStorage.removeItem(prefix + key));

/** Storage may be full or forbidden; what was typed is then kept as long as the page is open. */
function tryStorage(act: () => void): void {
  try {
    act();
  } catch {
    // The page works without it.
  }
}
