import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { callTokenHeader } from '../../../contract/call-token.js';
import type { ErrorCode } from '../../../errors.js';
import type { ApiServer } from '../../http/api-server.js';
import type { OpenApiDocument } from '../../http/open-api.js';
import { tags } from '../../http/tags.js';
import { contentPolicy, pageHeaders } from '../page-headers.js';
import { completeDocument, type RouteNotes } from './complete-document.js';
import { downloadDocument, jumpToOperation, resolveInPage } from './page-plugins.js';

declare module 'fastify' {
  interface FastifySchema {
    /** Codes that the route answers beside those that every route may. */
    errors?: readonly ErrorCode[];
    /** A whole body that works. */
    example?: unknown;
  }
  interface FastifyContextConfig {
    /** Only organizations with the SIP entitlement reach the route. */
    isEntitled?: boolean;
  }
}

const json = 'application/json; charset=utf-8';
/** Where the page at `/docs` reads the description. JSON is YAML as well (YAML 1.2 §1.3). */
const documentTypes: Readonly<Record<string, string>> = {
  '/docs/json': json,
  '/docs/yaml': 'application/x-yaml',
};

/** The one style element that the page makes itself, where a body is edited. */
const ownStyle = "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='";

const introduction = `SIP trunks for voice agents: attach numbers, place calls, and read their history.

**Try it here:** press *Authorize* and paste an API key (\`npm start\` prints one), open an operation, and press *Execute*. The requests are real: \`createCall\` rings a phone.

Responses are \`{"data": …, "errors": null}\`; errors have the HTTP status of their code. Lists take \`limit\` and \`after\`, and return \`has_more\` and \`next\`. A POST with an \`Idempotency-Key\` takes effect once, except uploads of files.`;

/**
 * The API's description at `/openapi.json`, and a page to browse and try it at `/docs`.
 * @param publicUrl where customers reach the API; absent: wherever the description came from
 * @param documentText makes the description elsewhere, as JSON, once; absent: this process makes it of its routes
 */
export async function registerReference(
  server: ApiServer,
  publicUrl?: string,
  documentText?: () => Promise<string>,
): Promise<void> {
  let text: Promise<string> | undefined;
  /** The same for all requests. */
  const sharedText = async (make: () => Promise<string>): Promise<string> => {
    try {
      text ??= make();
      return await text;
    } catch (error) {
      // The next request tries again.
      text = undefined;
      throw error;
    }
  };
  const notes = new Map<string, RouteNotes>();
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Demarc',
        version: '1',
        description: introduction,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: publicUrl ?? '/', description: 'This service' }],
      tags: [...tags],
      components: {
        securitySchemes: {
          key: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key of your organization. The prefix `Bearer` is optional.',
          },
          callToken: {
            type: 'apiKey',
            in: 'header',
            name: callTokenHeader,
            description:
              'The token of one call, from the same header of the agent’s INVITE. Reaches only operations on the data of that call, during the call and shortly after it.',
          },
        },
      },
      security: [{ key: [] }],
    } as never,
    transform: (input) => {
      if (input.schema === undefined) return { schema: input.schema as never, url: input.url };
      const { errors = [], example, ...schema } = input.schema;
      const { operationId } = schema as { operationId?: string };
      if (operationId !== undefined) {
        const isEntitled = input.route.config?.isEntitled === true;
        const access = input.route.config?.access;
        if (input.route.config?.acceptsCallToken === true)
          schema.security ??= [{ key: [] }, { callToken: [] }];
        notes.set(operationId, {
          errors,
          isEntitled,
          takesIdempotencyKey: input.route.config?.takesIdempotencyKey !== false,
          ...(example === undefined ? {} : { example }),
          ...(access === undefined ? {} : { access }),
        });
      }
      return jsonSchemaTransform({ ...input, schema });
    },
    transformObject: (input) => {
      const document = jsonSchemaTransformObject(input) as unknown as OpenApiDocument;
      const nothing: RouteNotes = { errors: [], isEntitled: false, takesIdempotencyKey: true };
      return completeDocument(document, (id) => notes.get(id ?? '') ?? nothing) as never;
    },
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    theme: { title: 'Demarc API' },
    // No badge: it would tell a stranger's server where this one is.
    uiConfig: {
      validatorUrl: null,
      // Every operation is ready to be sent, with its example in place.
      tryItOutEnabled: true,
      deepLinking: true,
      docExpansion: 'none',
      filter: true,
      displayRequestDuration: true,
      // The key stays in the page and goes with it.
      persistAuthorization: false,
      plugins: [downloadDocument, jumpToOperation, resolveInPage],
    },
    staticCSP: true,
    transformStaticCSP: () => contentPolicy(`'self' ${ownStyle}`),
    uiHooks: {
      onRequest: (request, reply, next) => {
        reply.headers(pageHeaders);
        const type = documentTypes[request.routeOptions.url ?? ''];
        if (documentText === undefined || type === undefined) next();
        else sharedText(documentText).then((body) => reply.type(type).send(body), next);
      },
    },
  });
  server.get('/openapi.json', { schema: { hide: true } }, async (_request, reply) => {
    if (documentText === undefined) return server.swagger();
    return reply.type(json).send(await sharedText(documentText));
  });
}
