import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { RouteOptions } from 'fastify';
import type { OpenApiDocument } from '../../src/control/http/open-api.js';

/** Where the workers of one `npm test` share what the first of them made; `dev/gate/test.mjs` names it. */
const shared = process.env.DEMARC_TEST_API_DOCUMENT;

interface Made {
  readonly document: OpenApiDocument;
  readonly routes: readonly RouteOptions[];
}

let made: Promise<Made> | undefined;
let document: Promise<OpenApiDocument> | undefined;

/** The OpenAPI document, which takes seconds to create: one for all files of a worker. They must not change it. */
export function apiDocument(): Promise<OpenApiDocument> {
  document ??= readOrMake();
  return document;
}

/** All routes of the API. */
export async function apiRoutes(): Promise<readonly RouteOptions[]> {
  return (await make()).routes;
}

async function readOrMake(): Promise<OpenApiDocument> {
  if (shared === undefined) return (await make()).document;
  if (!existsSync(shared)) {
    // Other workers may write the same now.
    const own = `${shared}.${process.pid}`;
    writeFileSync(own, JSON.stringify((await make()).document));
    renameSync(own, shared);
  }
  return JSON.parse(readFileSync(shared, 'utf8'));
}

function make(): Promise<Made> {
  made ??= (async () => {
    // Loaded here alone: it takes as long as the document.
    const { readApiDocument } = await import('../../src/control/api-document.js');
    const routes: RouteOptions[] = [];
    return { document: await readApiDocument({ onRoute: (route) => void routes.push(route) }), routes };
  })();
  return made;
}
