/** A copy of a byte string that does not keep the message alive from which it was cut. */
export const detached = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');
