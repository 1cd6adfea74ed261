import { normalizeIP } from '@fastify/rate-limit';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { ApiServer } from '../../http/api-server.js';
import { enforce } from '../../http/enforce.js';
import { DocumentInspection } from '../documents/document-inspection.js';
import type { PortingDeps } from '../porting-deps.js';
import { type FoundLetter, findLetter, signLetter } from './sign-letter.js';
import { messagePage, pageHeaders, pageScript, pageStyle, signingPage } from './signing-page.js';

/** A person opens a page a few times; guessing a link is hopeless anyway. */
const requestsPerMinute = 60;
const maximumFormOctets = 300 * 1024;
const hidden = { schema: { hide: true } };

const formSchema = z.object({
  name: z
    .string()
    .trim()
    .min(2)
    .max(120)
    .regex(/^[^\x00-\x1f\x7f]*$/),
  consent: z.literal('yes'),
  sha256: z.string().max(64),
  drawing: z.string().default(''),
});

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
    const read = formSchema.safeParse(request.body);
    const again = (message: string): FastifyReply => {
      const name = (request.body as { name?: unknown } | null)?.name;
      const problem = { message, name: typeof name === 'string' ? name.slice(0, 120) : '' };
      return reply
        .code(400)
        .headers(pageHeaders)
        .send(signingPage(token, found.text, sha256, problem));
    };
    if (!read.success) return again('Enter your full name, and confirm that you agree.');
    if (read.data.sha256 !== sha256) return again('The letter has changed since you read it. Read it again.');
    const drawing = readDrawing(read.data.drawing);
    if (drawing === 'unreadable')
      return again('The drawing could not be read. Draw it again, or leave it empty.');
    const isSigned = await signLetter(deps, found, {
      name: read.data.name,
      drawing,
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

/** The PNG of a drawing; undefined: nothing was drawn. */
function readDrawing(text: string): Buffer | undefined | 'unreadable' {
  if (text === '') return undefined;
  const encoded = /^data:image\/png;base64,([A-Za-z0-9+/]+=*)$/.exec(text)?.[1];
  if (encoded === undefined) return 'unreadable';
  const octets = Buffer.from(encoded, 'base64');
  try {
    const inspection = new DocumentInspection();
    inspection.write(octets);
    if (inspection.end() !== 'image/png') return 'unreadable';
  } catch {
    return 'unreadable';
  }
  // The canvas has 600 × 200 pixels.
  return octets.readUInt32BE(16) * octets.readUInt32BE(20) > 1_000_000 ? 'unreadable' : octets;
}
