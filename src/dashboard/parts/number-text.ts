import { signal } from '@preact/signals';

type Format = (number: string) => string | undefined;

/** The rules of all countries are a third of the program: they are loaded after the first page is shown. */
const format = signal<Format | undefined>(undefined);

export async function loadPhoneFormats(): Promise<void> {
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min');
  const formatted = new Map<string, string | undefined>();
  format.value = (number) => {
    if (!formatted.has(number)) {
      if (formatted.size > 2_000) formatted.clear();
      const parsed = parsePhoneNumberFromString(number);
      formatted.set(number, parsed?.isPossible() ? parsed.formatInternational() : undefined);
    }
    return formatted.get(number);
  };
}

/** `+1 415 555 0100` of an E.164 number; other text as it is. */
export const numberText = (text: string): string =>
  (/^\+\d{6,15}$/.test(text) ? format.value?.(text) : undefined) ?? text;
