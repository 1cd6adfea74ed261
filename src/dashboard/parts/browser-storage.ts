/** Texts that this browser keeps. Where it blocks its storage, they last as long as the page that has them. */

/** Null: there is none, or the storage is blocked. */
export function storedText(entry: string): string | null {
  try {
    return localStorage.getItem(entry);
  } catch {
    return null;
  }
}

/** @param text null: nothing is stored any more */
export function storeText(entry: string, text: string | null): void {
  try {
    if (text === null) localStorage.removeItem(entry);
    else localStorage.setItem(entry, text);
  } catch {
    // The storage is blocked.
  }
}
