import { readFileSync } from 'node:fs';
import { SMTPServer } from 'smtp-server';

/**
 * A mail server as a separate process, not in TypeScript, which takes a second to start. Arguments: certificate, key (PEM files), or none for a
 * server without STARTTLS. Takes `ada` with `secret`; says each mail to its parent, and does what its parent says.
 * @type {{ reject?: number, hang?: boolean }}
 */
let behaviour = {};

const [certificate, key] = process.argv.slice(2);
const failure = (code) => Object.assign(new Error('Not now'), { responseCode: code });

const server = new SMTPServer({
  ...(certificate === undefined || key === undefined
    ? { hideSTARTTLS: true, allowInsecureAuth: true }
    : { cert: readFileSync(certificate), key: readFileSync(key) }),
  authOptional: certificate === undefined,
  onAuth(auth, _session, callback) {
    process.send({ type: 'auth', username: auth.username });
    if (auth.username === 'ada' && auth.password === 'secret') callback(null, { user: 'ada' });
    else callback(failure(535));
  },
  onRcptTo(_address, _session, callback) {
    if (behaviour.hang === true) return;
    callback(behaviour.reject === undefined ? null : failure(behaviour.reject));
  },
  onData(stream, session, callback) {
    const chunks = [];
    stream.on('data', (chunk) => chunks.push(chunk));
    stream.on('end', () => {
      const to = session.envelope.rcptTo.map(({ address }) => address);
      const mail = Buffer.concat(chunks).toString('base64');
      process.send({ type: 'mail', to, secure: session.secure, user: session.user, mail });
      callback();
    });
  },
});
server.on('error', () => {});
process.on('message', (message) => {
  behaviour = message;
  process.send({ type: 'changed' });
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => {
  process.send({ type: 'ready', port: server.server.address().port });
});
