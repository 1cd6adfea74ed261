import type { JSX } from 'preact';
import { numberText } from './number-text.js';
import { Untrusted } from './untrusted.js';

/** Caller, callee or number. */
export function PhoneNumber({ text }: { text: string }): JSX.Element {
  const shown = numberText(text);
  return (
    <span class="figure phone-number" title={shown === text ? undefined : text}>
      <Untrusted text={shown} />
    </span>
  );
}
