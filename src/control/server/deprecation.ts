import { z } from 'zod';
import type { ApiServer } from '../http/api-server.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Deprecated query parameters of the route. */
    deprecatedParameters?: readonly DeprecatedParameter[];
  }
}

interface DeprecatedParameter {
  readonly name: string;
  /** Seconds since 1970. */
  readonly since: number;
  /** The first day on which it may not work any more; absent: it works as long as the API's version. */
  readonly sunset?: Date;
}

/** Responses to requests with a deprecated query parameter have `Deprecation` (RFC 9745) and, when its end is known, `Sunset` (RFC 8594). */
export function announceDeprecations(server: ApiServer): void {
  server.addHook('onRoute', (route) => {
    const { querystring } = route.schema ?? {};
    if (!(querystring instanceof z.ZodType)) return;
    const deprecatedParameters = deprecatedIn(querystring);
    if (deprecatedParameters.length > 0) route.config = { ...route.config, deprecatedParameters };
  });
  server.addHook('onRequest', async (request, reply) => {
    const query = request.query as Record<string, unknown>;
    const used = request.routeOptions.config.deprecatedParameters?.filter(({ name }) => name in query) ?? [];
    if (used.length === 0) return;
    reply
      .header('deprecation', `@${Math.min(...used.map(({ since }) => since))}`)
      .header('link', '</docs>; rel="deprecation"; type="text/html"');
    const ends = used.flatMap(({ sunset }) => (sunset === undefined ? [] : [sunset.getTime()]));
    if (ends.length > 0) reply.header('sunset', new Date(Math.min(...ends)).toUTCString());
  });
}

/** Each schema is read once: a route for GET is also one for HEAD. */
const parametersBySchema = new WeakMap<z.ZodType, readonly DeprecatedParameter[]>();

function deprecatedIn(querystring: z.ZodType): readonly DeprecatedParameter[] {
  const known = parametersBySchema.get(querystring);
  if (known !== undefined) return known;
  const parameters = readDeprecated(querystring);
  parametersBySchema.set(querystring, parameters);
  return parameters;
}

/** Throws when a parameter does not say since when it is deprecated. Reads no JSON Schema: that took as long as adding all routes. */
function readDeprecated(querystring: z.ZodType): DeprecatedParameter[] {
  return Object.entries(parametersOf(querystring)).flatMap(([name, parameter]) => {
    const notes = notesOf(parameter);
    if (notes.deprecated !== true) return [];
    const since = Date.parse(String(notes['x-deprecated-since'])) / 1_000;
    if (Number.isNaN(since)) throw new Error(`${name} does not say since when it is deprecated`);
    const sunset = notes['x-sunset'];
    return [{ name, since, ...(sunset === undefined ? {} : { sunset: new Date(String(sunset)) }) }];
  });
}

function parametersOf(querystring: z.core.$ZodType): z.core.$ZodShape {
  if (querystring instanceof z.ZodObject) return querystring.shape;
  if (!(querystring instanceof z.ZodPipe)) throw new Error('the schema of a query is not one of an object');
  const { in: before, out: after } = querystring._zod.def;
  return parametersOf(before instanceof z.ZodTransform ? after : before);
}

/** Of the parameter and of what it makes optional or gives a default. */
function notesOf(parameter: z.core.$ZodType): z.core.GlobalMeta {
  const { innerType } = parameter._zod.def as { innerType?: z.core.$ZodType };
  return { ...(innerType === undefined ? {} : notesOf(innerType)), ...z.globalRegistry.get(parameter) };
}
