/** V8 copies shorter parts anyway. */
const shortest = 13;

export type OwnText = (text: string) => string;

/** The same text in separate memory: a part of a message keeps the whole message in memory. */
export const ownText: OwnText = (text) => (text.length < shortest ? text : Buffer.from(text).toString());

/** As `ownText`; equal texts share their memory. */
export function sharedOwnText(): OwnText {
  const known = new Map<string, string>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const own = ownText(text);
    known.set(own, own);
    return own;
  };
}
