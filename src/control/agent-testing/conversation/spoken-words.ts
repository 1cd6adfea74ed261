/** Scripts that write no spaces between words. */
const withoutSpaces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/** Words alone, with a space before and after each. */
export const wordsOf = (text: string): string =>
  ` ${text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()} `;

/** Whether one of the lines, as `wordsOf` gives them, has the phrase. */
export const says = (lines: readonly string[], phrase: string): boolean => {
  const words = wordsOf(phrase);
  const sought = withoutSpaces.test(phrase) ? words.trim() : words;
  return lines.some((line) => line.includes(sought));
};
