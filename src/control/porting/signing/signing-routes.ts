import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';
import type { ApiServer } from '../../http/api-server.js';
import { enforce } from '../../http/enforce.js';
import type { PortingDeps } from '../porting-deps.js';
import { type FoundLetter, findLetter, signLetter } from './sign-letter.js';
import { readSigningForm, typedName } from './signing-form.js';
import { messagePage, pageHeaders, pageScript, pageStyle, signingPage } from './signing-page.js';

/** A person opens a page a few times; guessing a link is hopeless anyway. */
const requestsPerMinute = 60;
const maximumFormOctets = 300 * 1024;
const hidden = { schema: { hide: true } };

const answers: Readonly<Record<Exclude<FoundLetter['kind'], 'open'>, [number, string, string]>> = {
  unknown: [
    404,
    'There is no such letter',
    'The link is wrong, or a newer one was sent: use the one of the latest mail.',
  ],
  expired: [410, 'The link has expired', 'Ask the sender of the mail for a new one.'],
  signed: [410, 'The letter is signed', 'A copy was sent to you by mail. Nothing more needs to be done.'],
  over: [410, 'The request is over', 'It was canceled or has ended: there is nothing to sign any more.'],
};

/** `/sign/…`: the pages of the authorized representative, who has nothing but a link. */
export function signingRoutes(server: ApiServer, deps: PortingDeps): void {
  const perAddress = server.createRateLimit({
    max: requestsPerMinute,
    timeWindow: 60_000,
    keyGenerator: (request) => `sign ${normalizeIP(request.ip)}`,
  });
  server.addHook('onRequest', (request, reply) => enforce(perAddress, request, reply));
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: maximumFormOctets },
    (_request, body, done) => done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );

  server.get('/sign/page.css', hidden, (_request, reply) => reply.type('text/css').send(pageStyle));
  server.get('/sign/page.js', hidden, (_request, reply) => reply.type('text/javascript').send(pageScript));

  server.get('/sign/:token', hidden, async (request, reply) => {
    const { token } = request.params as { token: string };
    const found = await findLetter(deps, token);
    if (found.kind !== 'open') return refuse(reply, found.kind);
    return reply
      .headers(pageHeaders)
      .send(signingPage(token, found.text, found.document.sha256.toString('hex')));
  });

  server.get('/sign/:token/letter.pdf', hidden, async (request, reply) => {
    const { token } = request.params as { token: string };
    const found = await findLetter(deps, token);
    if (found.kind !== 'open') return refuse(reply, found.kind);
    const octets = await deps.documents.readWhole(found.document);
    return reply
      .headers({ ...pageHeaders, 'content-type': 'application/pdf' })
      .header('content-disposition', 'inline; filename="letter-of-authorization.pdf"')
      .send(octets);
  });

  server.post('/sign/:token', { ...hidden, bodyLimit: maximumFormOctets }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const found = await findLetter(deps, token);
    if (found.kind !== 'open') return refuse(reply, found.kind);
    const sha256 = found.document.sha256.toString('hex');
    const form = readSigningForm(request.body, sha256);
    if (!form.ok) {
      const problem = { message: form.message, name: typedName(request.body) };
      return reply
        .code(400)
        .headers(pageHeaders)
        .send(signingPage(token, found.text, sha256, problem));
    }
    const isSigned = await signLetter(deps, found, {
      name: form.name,
      drawing: form.drawing,
      address: request.ip,
      userAgent: String(request.headers['user-agent'] ?? 'unknown').slice(0, 300),
    });
    if (!isSigned) return refuse(reply, 'signed');
    deps.wake();
    return reply
      .headers(pageHeaders)
      .send(
        messagePage('Thank you: the letter is signed', 'A copy goes to you by mail. The port begins now.'),
      );
  });
}

function refuse(reply: FastifyReply, kind: Exclude<FoundLetter['kind'], 'open'>): FastifyReply {
  const [status, title, text] = answers[kind];
  return reply.code(status).headers(pageHeaders).send(messagePage(title, text));
}
