import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import type { ApiServer } from './api-server.js';

/** The API's description at `/openapi.json`, and a page to browse and try it at `/docs`. */
export async function registerReference(server: ApiServer): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Demarc',
        version: '1',
        description: 'SIP trunks for voice agents: bring numbers, say who may call, read what happened.',
      },
      components: {
        securitySchemes: {
          key: { type: 'http', scheme: 'bearer', description: 'The API key; without `Bearer` as well.' },
        },
      },
      security: [{ key: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Demarc API' },
    // No badge: it would tell a stranger's server where this one is.
    uiConfig: { validatorUrl: null },
    staticCSP: true,
    // The page must also work over plain HTTP within a network of one's own.
    transformStaticCSP: (policy) => policy.replace('upgrade-insecure-requests;', ''),
  });
  server.get('/openapi.json', { schema: { hide: true } }, async () => server.swagger());
}
