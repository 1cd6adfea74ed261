/** What an offer or answer costs rtpengine, in parts of some 0.7 ms of the thread that also answers its pings. */
const perConversion = 2;

interface ExchangeParameters {
  readonly sdp?: unknown;
  readonly codec?: unknown;
}

/** One part for a description, and one for each opus payload type in it: for those it builds an encoder and a decoder at once. */
export function exchangeCost({ sdp, codec }: ExchangeParameters): number {
  const types = typeof sdp === 'string' ? sdp.split(/^a=rtpmap:\d+ opus\//m).length - 1 : 0;
  return 1 + types + (codec === undefined ? 0 : perConversion);
}
