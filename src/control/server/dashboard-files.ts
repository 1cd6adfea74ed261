import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiServer } from '../http/api-server.js';
import { answerUnknownPath } from '../http/failures.js';
import { cookieName } from '../session/cookie.js';
import { contentPolicy, pageHeaders } from './page-headers.js';

/** Where the build puts the dashboard, seen from dist/control/http as well as from src/control/http. */
const isSource = import.meta.url.endsWith('.ts');
const builtDashboard = fileURLToPath(
  new URL(isSource ? '../../../dist/dashboard' : '../../dashboard', import.meta.url),
);

const securityHeaders = { 'content-security-policy': contentPolicy(), ...pageHeaders };

const preload = (path: string): string => `<${path}>; rel=preload; as=fetch; crossorigin`;
const sessionPreload = preload('/v1/session');
const overviewPreload = [sessionPreload, preload('/v1/noc/summary')].join(', ');

/** The page asks for these first: browsers fetch them while its scripts load. Figures are preloaded for a page that shows them. */
function preloadsOf({ url, cookies }: FastifyRequest): string {
  const isOverview = /^\/(\?|$)/.test(url);
  return isOverview && cookies[cookieName] !== undefined ? overviewPreload : sessionPreload;
}

const notThePages = /^\/(v1|sign|carrier|docs|assets|livez|readyz|metrics|openapi\.json)(\/|$|\?)/;

/**
 * The dashboard at `/`: its files, and its first page for every path that it routes itself. Without a build, or for what is
 * no page, unknown paths are answered as everywhere.
 */
export async function registerDashboard(server: ApiServer, folder: string = builtDashboard): Promise<void> {
  // An unbuilt checkout has no dashboard; its API works without one.
  if (!existsSync(join(folder, 'index.html'))) {
    server.setNotFoundHandler(answerUnknownPath);
    return;
  }
  await server.register(fastifyStatic, {
    root: folder,
    serve: false,
    cacheControl: false,
    acceptRanges: false,
    preCompressed: true,
    setHeaders: (reply, path) => {
      // Names of assets carry the hash of their content; browsers always revalidate the page that names them.
      const isHashed = path.startsWith(join(folder, 'assets'));
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.headers(securityHeaders);
    },
  });
  // One route per file: a single wildcard route would hide that a path exists with another method.
  const hidden = { schema: { hide: true } };
  for (const file of readdirSync(folder, { withFileTypes: true })) {
    if (!file.isFile() || /^\.|\.(br|gz)$/.test(file.name)) continue;
    server.get(`/${file.name}`, hidden, (_request, reply) => reply.sendFile(file.name));
  }
  const sendPage = (request: FastifyRequest, reply: FastifyReply) =>
    reply.header('link', preloadsOf(request)).sendFile('index.html');
  // Served whatever the Accept header is: probes and curl ask for it as well.
  server.get('/', hidden, sendPage);
  server.get('/assets/*', hidden, (request, reply) => {
    const { '*': name } = request.params as { '*': string };
    return reply.sendFile(`assets/${name}`);
  });
  server.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isPage(request) ? sendPage(request, reply) : answerUnknownPath(request, reply),
  );
}

const isPage = ({ method, url, headers }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !notThePages.test(url) &&
  (headers.accept ?? '').includes('text/html');
