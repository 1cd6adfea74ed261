import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';

const scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String));

const serviceSchema = z.object({
  image: z.string().optional(),
  build: z.object({ dockerfile: z.string(), args: scalars.default({}) }).optional(),
  user: z.string().optional(),
  network_mode: z.string().optional(),
  entrypoint: z.array(z.string()).optional(),
  command: z.array(z.string()).optional(),
  environment: scalars.default({}),
  env_file: z.array(z.object({ path: z.string(), required: z.boolean() })).default([]),
  volumes: z.array(z.string()).default([]),
  tmpfs: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  read_only: z.boolean().default(false),
  cap_drop: z.array(z.string()).default([]),
  cap_add: z.array(z.string()).default([]),
  security_opt: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  cpu_shares: z.number().default(1_024),
  profiles: z.array(z.string()).default([]),
});

export type ComposeService = z.output<typeof serviceSchema>;

/** Docker Compose's interpolation, as far as our files use it: `$$`, `${A}`, `${A:-default}` and `${A:?message}`, nested. */
export function interpolate(text: string, variables: Readonly<Record<string, string>>): string {
  let result = '';
  for (let at = 0; at < text.length; at++) {
    const next = text.slice(at, at + 2);
    if (next === '$$') {
      result += '$';
      at++;
    } else if (next === '${') {
      const end = closingBrace(text, at + 2);
      result += expand(text.slice(at + 2, end), variables);
      at = end;
    } else result += text[at];
  }
  return result;
}

/** Of the brace that opened before `from`. */
function closingBrace(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '{') depth++;
    if (text[at] === '}' && --depth === 0) return at;
  }
  throw new Error(`${text} has an unclosed brace.`);
}

function expand(expression: string, variables: Readonly<Record<string, string>>): string {
  const [, name = '', operator, rest = ''] = /^(\w+)(?:(:[-?])([\s\S]*))?$/.exec(expression) ?? [];
  const value = variables[name] ?? '';
  if (value !== '' || operator === undefined) return value;
  if (operator === ':?') throw new Error(`${name}: ${rest}`);
  return interpolate(rest, variables);
}

/** Replaces variables in the values of a parsed file, as Docker Compose does: after parsing, so that no value can change the structure. */
function interpolated(value: unknown, variables: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => interpolated(item, variables));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, interpolated(item, variables)]));
}

interface ParsedCompose {
  readonly services: Readonly<Record<string, { readonly profiles?: string[] }>>;
}

/** By the text, as a test may change the file: some read the same one dozens of times, which takes longer than their assertions. */
const parsed = new Map<string, ParsedCompose>();

function parsedCompose(file: string): ParsedCompose {
  const text = readFileSync(file, 'utf8');
  const found = parsed.get(text) ?? (parse(text, { merge: true }) as ParsedCompose);
  parsed.set(text, found);
  return found;
}

/** The services of one profile set of a compose file. */
export function readCompose(
  file: string,
  variables: Readonly<Record<string, string>>,
  profiles: readonly string[] = [],
): ReadonlyMap<string, ComposeService> {
  const { services } = parsedCompose(file);
  const selected = Object.entries(services).filter(
    ([, service]) =>
      service.profiles === undefined || service.profiles.some((name) => profiles.includes(name)),
  );
  return new Map(
    selected.map(([name, service]) => [name, serviceSchema.parse(interpolated(service, variables))]),
  );
}

/** Variables of a service: those of its files below its own. @param folder of the compose file */
export function environmentOf(service: ComposeService, folder: string): Record<string, string | undefined> {
  const fromFiles = service.env_file.map(({ path, required }) => {
    const file = resolve(folder, path);
    if (!required && !existsSync(file)) return {};
    return parseEnv(readFileSync(file, 'utf8'));
  });
  return Object.assign({}, ...fromFiles, service.environment) as Record<string, string | undefined>;
}

/** A volume as podman takes it: paths of this machine absolute, names with a prefix. */
export function volumeArgument(volume: string, composeFile: string, prefix: string): string {
  const [source = '', ...rest] = volume.split(':');
  const isPath = source.startsWith('.') || source.startsWith('/');
  return [isPath ? join(resolve(dirname(composeFile), source)) : `${prefix}-${source}`, ...rest].join(':');
}
