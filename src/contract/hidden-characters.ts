/**
 * Characters without a shape, and those that turn the direction of what follows (Unicode TR36): with them, a header shows something
 * else than it says. Line ends and tabs are left to the layout.
 */
const hidden =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]/u;
const hiddenOnes = new RegExp(`(${hidden.source})`, 'u');
const hiddenEverywhere = new RegExp(hidden.source, 'gu');

/** `U+202E`. */
export const codePointOf = (character: string): string =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Alternately text and one hidden character, beginning with text. */
export const splitHidden = (text: string): readonly string[] => text.split(hiddenOnes);

export const hasHidden = (text: string): boolean => hidden.test(text);

/** Text with these characters as `\uXXXX`: in JSON equal to a parser, and visible to a reader. */
export const escapeHidden = (text: string): string =>
  text.replace(
    hiddenEverywhere,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
