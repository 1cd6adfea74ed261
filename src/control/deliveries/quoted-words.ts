/**
 * A customer's words within a mail of the service: in quotation marks, on one line, and without anything that a mail program makes a link
 * (`example[.]com`).
 */
export const quotedWords = (text: string): string =>
  `“${text
    .replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/[“”"]/g, "'")
    .replaceAll('://', '[:]//')
    .replaceAll(/(?<=[\p{L}\p{N}_-])[.。．](?=[\p{L}\p{N}_-])/gu, '[.]')
    .replaceAll('@', '[at]')
    .trim()}”`;
