import { useState } from 'preact/hooks';
import { session } from '../../api/session.js';
import { storedText, storeText } from '../../parts/browser-storage.js';

/**
 * What a user keeps in this browser, apart for each organization.
 * @param name of the storage entry
 * @param read the text of the entry; null: there is none, or the storage is blocked
 * @returns the value, and a function that changes it; its text null: nothing is stored any more
 */
export function useStored<Value>(
  name: string,
  read: (text: string | null) => Value,
): readonly [value: Value, keep: (changed: Value, text: string | null) => void] {
  const entry = `demarc.${name}.${session.value?.organization.id}`;
  const [value, setValue] = useState(() => read(storedText(entry)));
  const keep = (changed: Value, text: string | null): void => {
    setValue(changed);
    storeText(entry, text);
  };
  return [value, keep];
}
