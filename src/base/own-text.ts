/** V8 copies shorter parts by itself. */
const shortest = 13;

/** The same text in memory of its own: a part of a message keeps the whole message in memory. */
export const ownText = (text: string): string =>
  text.length < shortest ? text : Buffer.from(text).toString();
