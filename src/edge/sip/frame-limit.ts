/** drachtio-server loses octets when several longer frames come at once (wire protocol: a ring of 12,228 octets). */
const safeOctets = 4_000;
/** It never dispatches a longer frame or anything after it, which makes the connection unusable. */
const longestOctets = 12_000;

/**
 * A frame within what a drachtio-server can take. Responses repeat From and To of the request, which a stranger can make arbitrarily
 * long; the server writes these two itself in any case. Undefined, and `dropped` is called: it is still too long; each kind of
 * request has a timeout for its response.
 */
export function limitedFrame(frame: string, dropped: (octets: number) => void): string | undefined {
  const short = shortened(frame);
  const octets = Buffer.byteLength(short);
  if (octets <= longestOctets) return short;
  dropped(octets);
  return undefined;
}

/** The same frame, without From and To when it is a long response. */
export function shortened(frame: string): string {
  if (frame.length * 3 <= safeOctets || Buffer.byteLength(frame) <= safeOctets) return frame;
  const payload = frame.slice(frame.indexOf('#') + 1);
  const leaderEnd = payload.indexOf('\r\n');
  const headEnd = payload.indexOf('\r\n\r\n');
  if (leaderEnd < 0 || headEnd < 0 || !payload.startsWith('SIP/2.0 ', leaderEnd + 2)) return frame;
  const head = payload
    .slice(0, headEnd)
    .split('\r\n')
    .filter((line, index) => index < 2 || !/^(?:from|to|f|t)\s*:/i.test(line))
    .join('\r\n');
  const short = `${head}${payload.slice(headEnd)}`;
  return `${Buffer.byteLength(short)}#${short}`;
}
