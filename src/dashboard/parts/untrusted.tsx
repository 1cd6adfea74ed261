import type { JSX } from 'preact';
import { codePointOf, hasHidden, splitHidden } from '../../contract/hidden-characters.js';

/** Text from a peer: hidden characters are shown by their code, and nothing in it affects the text around it. */
export function Untrusted({ text }: { text: string }): JSX.Element {
  if (!hasHidden(text)) return <bdi>{text}</bdi>;
  return (
    <bdi>
      {splitHidden(text).map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <span class="hidden-character" key={index}>
            {codePointOf(part)}
          </span>
        ),
      )}
    </bdi>
  );
}
