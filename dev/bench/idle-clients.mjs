/**
 * Opens TLS connections to a SIP server, sends one OPTIONS on each and keeps them until its input ends. A process apart, because
 * its own memory and CPU are not the server's. The last argument names the groups for the key exchange. Prints `open N` when each has had a response.
 */
import { connect } from 'node:net';
import { connect as secure } from 'node:tls';

const [host = '', port = '', count = '', groups = 'auto'] = process.argv.slice(2);
/** A server limits the connections of one source; every address of 127.0.0.0/8 is one. */
const perSource = 500;
const atOnce = 32;
/** @type {import('node:tls').TLSSocket[]} */
const sockets = [];

/**
 * @param {number} index
 * @returns {Promise<void>} once the server has responded
 */
function open(index) {
  const localAddress = `127.0.1.${1 + Math.floor(index / perSource)}`;
  return new Promise((resolve, reject) => {
    const plain = connect({ host, port: Number(port), localAddress });
    plain.on('error', reject);
    const socket = secure({ socket: plain, rejectUnauthorized: false, ecdhCurve: groups }, () => {
      socket.write(
        [
          `OPTIONS sip:${host}:${port};transport=tls SIP/2.0`,
          `Via: SIP/2.0/TLS ${localAddress}:${plain.localPort};branch=z9hG4bK${index}x${process.pid}`,
          'Max-Forwards: 70',
          `From: <sip:probe@${localAddress}>;tag=${index}`,
          `To: <sip:${host}:${port}>`,
          `Call-ID: ${index}-${process.pid}@${localAddress}`,
          'CSeq: 1 OPTIONS',
          `Contact: <sip:probe@${localAddress}:${plain.localPort};transport=tls>`,
          'Content-Length: 0',
          '\r\n',
        ].join('\r\n'),
      );
    });
    sockets.push(socket);
    socket.once('data', () => resolve());
    socket.once('error', reject);
    socket.once('close', () => reject(new Error(`connection ${index} was closed`)));
  });
}

let next = 0;
const opener = async () => {
  while (next < Number(count)) await open(next++);
};
await Promise.all(Array.from({ length: atOnce }, opener));
for (const socket of sockets) socket.removeAllListeners('error').on('error', () => {});
process.stdout.write(`open ${sockets.length}\n`);
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
