/** V8 copies shorter parts anyway. */
const shortest = 13;

/** The same text in separate memory: a part of a message keeps the whole message in memory. */
export const ownText = (text: string): string =>
  text.length < shortest ? text : Buffer.from(text).toString();
