import type { RouteOptions } from 'fastify';
import { readApiDocument } from '../../src/control/api-document.js';
import type { OpenApiDocument } from '../../src/control/http/open-api.js';

const routes: RouteOptions[] = [];
let document: Promise<OpenApiDocument> | undefined;

/** The OpenAPI document, which takes seconds to create: one for all files of a worker. They must not change it. */
export function apiDocument(): Promise<OpenApiDocument> {
  document ??= readApiDocument({ onRoute: (route) => void routes.push(route) });
  return document;
}

/** All routes of the API. */
export async function apiRoutes(): Promise<readonly RouteOptions[]> {
  await apiDocument();
  return routes;
}
