/**
 * The smallest application for a drachtio-server that does what a call needs: a B2BUA that anchors the media of each call in
 * rtpengine, SRTP (SDES) towards the caller and plain RTP towards the agent. It has no admission, no record, no trace, no
 * metrics and no log, so its cost is what drachtio-server, drachtio-srf and rtpengine cost at least.
 */
import Srf from 'drachtio-srf';
import rtpengineClient from 'rtpengine-client';

const [admin, secret, ng, agent] = process.argv.slice(2);
if (admin === undefined || secret === undefined || ng === undefined || agent === undefined) {
  throw new Error('usage: bare-b2bua.mjs ADMIN-PORT SECRET NG-PORT AGENT-URI');
}
const host = '127.0.0.1';
const server = { host, port: Number(ng) };

/**
 * The part of a dialog that is used here; the package's types lack it.
 * @typedef {{ connected: boolean, destroy: () => Promise<void>, on: (event: 'destroy', act: () => void) => void }} Leg
 */
/** @typedef {{ result: string, 'error-reason'?: string, sdp: string }} Reply */

/** @type {unknown} */
const client = new rtpengineClient.Client({ localAddress: host, timeout: 3_000 });
const rtpengine = /** @type {Record<string, (to: object, fields: object) => Promise<Reply>>} */ (client);
/** Leaves AES_CM_128_HMAC_SHA1_80 in the offer, as the caller sent it. */
const otherSuites = [
  ...['AES_CM_128_HMAC_SHA1_32', 'AES_192_CM_HMAC_SHA1_80', 'AES_192_CM_HMAC_SHA1_32'],
  ...['AES_256_CM_HMAC_SHA1_80', 'AES_256_CM_HMAC_SHA1_32', 'AEAD_AES_128_GCM', 'AEAD_AES_256_GCM'],
  ...['F8_128_HMAC_SHA1_80', 'F8_128_HMAC_SHA1_32', 'NULL_HMAC_SHA1_80', 'NULL_HMAC_SHA1_32'],
].map((suite) => `no-${suite}`);
const media = { ICE: 'remove', DTLS: 'off', replace: ['origin'], SDES: otherSuites };

/**
 * @param {'offer' | 'answer' | 'delete'} name
 * @param {Record<string, unknown>} fields
 */
async function command(name, fields) {
  const reply = await rtpengine[name]?.(server, fields);
  if (reply?.result !== 'ok') throw new Error(`rtpengine ${name}: ${reply?.['error-reason']}`);
  return reply;
}

const srf = new Srf();
void srf.connect({ host, port: Number(admin), secret });
srf.on('error', () => process.exit(1));

srf.invite(async (req, res) => {
  const session = { 'call-id': req.get('Call-ID'), 'from-tag': req.getParsedHeader('From').params?.tag };
  let released = false;
  const release = () => {
    if (released) return;
    released = true;
    command('delete', { ...session, 'delete-delay': 0 }).catch(() => {});
  };
  try {
    const offer = await command('offer', {
      ...session,
      ...media,
      sdp: req.body,
      'transport-protocol': 'RTP/AVP',
      'rtcp-mux': ['demux'],
    });
    /** @type {unknown} */
    const legs = await srf.createB2BUA(req, res, agent, {
      localSdpB: offer.sdp,
      localSdpA: async (sdp, response) => {
        const tag = response.getParsedHeader('To').params?.tag;
        const answer = await command('answer', {
          ...session,
          ...media,
          sdp,
          'to-tag': tag,
          'transport-protocol': 'RTP/SAVP',
        });
        return answer.sdp;
      },
    });
    const { uas, uac } = /** @type {{ uas: Leg, uac: Leg }} */ (legs);
    /** @param {Leg} opposite */
    const end = (opposite) => {
      release();
      opposite.destroy().catch(() => {});
    };
    uas.on('destroy', () => end(uac));
    uac.on('destroy', () => end(uas));
    // A caller that hangs up with its ACK can be gone before these listeners exist.
    if (!uas.connected) end(uac);
    else if (!uac.connected) end(uas);
  } catch (failure) {
    release();
    if (!res.finalResponseSent) res.send(/** @type {{ status?: number }} */ (failure).status ?? 500);
  }
});
process.on('SIGTERM', () => process.exit(0));
