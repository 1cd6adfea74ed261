import { createServer } from 'node:net';

// A registrar for a network namespace: accepts every REGISTER for 300 s, and answers no keep-alive, as Asterisk.
const [, , host, port] = process.argv;

const repeated = /^(?:Via|From|To|Call-ID|CSeq|Contact)[ ]*:.*$/gim;

createServer((socket) => {
  let text = '';
  socket.on('error', () => {});
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      const head = text.slice(0, end);
      text = text.slice(end + 4);
      if (!head.trim().startsWith('REGISTER')) continue;
      const lines = head.match(repeated).map((line) => line.replace(/^(To:.*>)$/, '$1;tag=mute'));
      socket.write(['SIP/2.0 200 OK', ...lines, 'Expires: 300', 'Content-Length: 0', '', ''].join('\r\n'));
    }
  });
}).listen(Number(port), host, () => console.log('Registrar listens.'));
