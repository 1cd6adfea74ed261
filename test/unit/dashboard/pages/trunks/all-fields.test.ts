import { beforeAll, describe, expect, it } from 'vitest';
import { valueAt } from '../../../../../src/dashboard/forms/edits.js';
import {
  type DirectionFields,
  type DirectionOptions,
  directionBody,
  directionChanges,
  sectionChanges,
} from '../../../../../src/dashboard/pages/trunks/edit/direction-fields.js';
import { apiDocument } from '../../../../support/api-document.js';

/** Fields of the API that no form has, each with its reason. */
const exceptions: Readonly<Record<string, string>> = {
  type: 'each direction has separate forms',
  id: 'each configuration has a separate form',
  'headers.direction': 'equal to type',
  'options.agents.strategy': 'one value',
  'agent.type': 'one value',
  'options.agents.endpoints.*': 'WebSocket servers in a group have their settings by the API',
  'failover_config.endpoints.*.priority': 'the order of the list',
  alert_config: 'has a separate panel on the page of the number',
  'inbound sip_endpoint': 'older name of agent and registrar',
  'inbound failover_config': 'outbound only',
  'outbound options.agents': 'inbound only',
};

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
}
interface ApiDocument {
  readonly paths: Readonly<
    Record<string, Record<string, { requestBody: { content: Record<string, { schema: Schema }> } }>>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Preact {
  h(component: unknown, properties: object): object;
}
type Components<Name extends string> = Readonly<Record<Name, unknown>>;

/** The compiler of the tests knows neither JSX nor the types of a browser, so both are loaded where only the test runs. */
const load = <Module>(specifier: string): Promise<Module> => import(/* @vite-ignore */ specifier);
const loadPart = <Name extends string>(file: string): Promise<Components<Name>> =>
  load(new URL(`../../../../../src/dashboard/${file}`, import.meta.url).href);

let preact: Preact;
let toText: { renderToString(element: object): string };
let document: ApiDocument;
let fields: Components<'FieldsOf'>;
let sets: Components<'ConnectionFields' | 'PolicyFields'>;
beforeAll(async () => {
  [preact, toText] = await Promise.all([
    load<Preact>('preact'),
    load<typeof toText>('preact-render-to-string'),
  ]);
  [fields, sets] = await Promise.all([
    loadPart('forms/fields.tsx'),
    loadPart('pages/trunks/edit/field-sets.tsx'),
  ]);
  document = (await apiDocument()) as unknown as ApiDocument;
});

const resolved = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : resolved(document.components.schemas[schema.$ref.split('/').at(-1)!]!);
const variantsOf = (schema: Schema): readonly Schema[] => {
  const whole = resolved(schema);
  const variants = whole.anyOf ?? whole.oneOf;
  return variants === undefined ? [whole] : variants.flatMap(variantsOf);
};

/** `options.port`, `headers.headers.*.key`: the fields that hold a value. */
function leavesOf(schema: Schema, path: string): string[] {
  return variantsOf(schema).flatMap((variant) => {
    if (variant.properties !== undefined) {
      return Object.entries(variant.properties).flatMap(([name, inner]) =>
        leavesOf(inner, path === '' ? name : `${path}.${name}`),
      );
    }
    const items = variant.items && resolved(variant.items);
    const isOfObjects =
      items !== undefined && variantsOf(items).some(({ properties }) => properties !== undefined);
    if (isOfObjects) return leavesOf(items, `${path}.*`);
    return variant.type === 'null' ? [] : [path];
  });
}

const bodyOf = (path: string, method: string): Schema =>
  resolved(document.paths[path]![method]!.requestBody.content['application/json']!.schema);

function variantOf(schema: Schema, direction: string): Schema {
  const found = variantsOf(schema).find(({ properties }) => {
    const type = properties?.type && resolved(properties.type);
    return type?.const === direction || type?.enum?.[0] === direction;
  });
  if (found === undefined) throw new Error(`no ${direction} in the document`);
  return found;
}

/** What the API takes of a direction: to attach, to update, in sections, in trunks. */
function fieldsOfApi(direction: 'inbound' | 'outbound'): readonly string[] {
  const directions = (path: string, method: string): Schema =>
    resolved(bodyOf(path, method).properties!.directions!).items!;
  const { phone_number: _, direction: __, ...sections } = bodyOf('/v1/sip/config', 'patch').properties!;
  const leaves = [
    ...leavesOf(variantOf(directions('/v1/sip/attach', 'post'), direction), ''),
    ...leavesOf(variantOf(bodyOf('/v1/sip/update', 'post').properties!.updates!, direction), ''),
    ...leavesOf(variantOf(directions('/v1/trunks', 'post'), direction), ''),
    ...leavesOf(variantOf(directions('/v1/trunks/{trunk_id}', 'patch'), direction), ''),
    ...leavesOf({ properties: sections }, ''),
    ...leavesOf(bodyOf('/v1/trunks/{trunk_id}', 'patch').properties![direction]!, ''),
  ];
  const isExcepted = (path: string): boolean =>
    [path, `${direction} ${path}`].some((name) =>
      Object.keys(exceptions).some((excepted) => name === excepted || name.startsWith(`${excepted}.`)),
    );
  return [...new Set(leaves)]
    .filter((path) => !isExcepted(path))
    .map(inForm)
    .sort();
}

/** Mappings are within an object that repeats the direction. */
const inForm = (path: string): string => path.replace(/^headers\.headers/, 'headers');

const custom = { type: 'custom', key: 'account', value: 'X-Account', passthrough: true } as const;
const uui = { type: 'uui', target: 'ticket', purpose: 'p', encoding: 'ascii', content: 'c' } as const;
const options: DirectionOptions = {
  port: 5062,
  secure_media: false,
  symmetric_rtp: true,
  sip_username: 'a',
  sip_password: 'b',
  transport: 'tls',
  sip_realm: 'r',
  tls_ca: 'PEM',
};
const sections = {
  codec_config: { codecs: ['PCMA'], transcode: true },
  limits: { concurrent_calls: 1, calls_per_second: 2, max_duration_seconds: 3 },
  transfer_config: { mode: 'refer', fallback: true, allowed_targets: ['+1'] },
} satisfies Partial<DirectionFields>;
const inbound: DirectionFields = {
  type: 'inbound',
  auth_mode: 'register',
  register_auth: { username: '700', password: 'correct horse' },
  allowed_ips: ['203.0.113.7'],
  agent: 'sip:a.example',
  registrar: 'sip:b.example',
  options: { ...options, agents: { strategy: 'ring_all', endpoints: ['sip:a.example', 'sip:b.example'] } },
  headers: [custom, uui],
  ...sections,
};
const bot = {
  type: 'websocket',
  url: 'wss://bot.example.com',
  format: 'pcm',
  sample_rate: 24_000,
  preamble: 'listen',
  parameters: { a: '1' },
  headers: { Authorization: 'x' },
  answer_on: 'first_audio',
  comfort_tone: true,
  fallback: 'sip:a.example',
} satisfies DirectionFields['agent'];
const outbound: DirectionFields = {
  type: 'outbound',
  sip_endpoint: 'sip:pbx.example.com',
  agent: 'sip:a.example',
  options,
  headers: [custom, uui],
  failover_config: {
    enabled: true,
    triggers: ['timeout'],
    failback: 'manual',
    endpoints: [{ host: 'a.example', port: 5061, transport: 'tcp', priority: 1 }],
  },
  ...sections,
};

/** The fields that the forms draw for a draft. */
function fieldsOfForms(draft: DirectionFields): readonly string[] {
  const drawn = new Set<string>();
  const form = {
    value: (path: string) => valueAt(draft, path),
    set: () => undefined,
    problemAt: (path: string) => {
      drawn.add(path.replaceAll(/\.\d+(?=\.|$)/g, '.*'));
      return undefined;
    },
    isBusy: false,
  };
  const stored = { sipPassword: true, registerPassword: true };
  const { h } = preact;
  toText.renderToString(
    h(fields.FieldsOf, {
      form,
      children: [
        h(sets.ConnectionFields, { fields: draft, stored }),
        h(sets.PolicyFields, { direction: draft.type }),
      ],
    }),
  );
  return [...drawn];
}

/** The API's fields that a body has. */
function fieldsOfBody(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object'))
    return value.flatMap((item) => fieldsOfBody(item, `${path}.*`));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [inForm(path)];
  return Object.entries(value).flatMap(([name, inner]) =>
    fieldsOfBody(inner, path === '' ? name : `${path}.${name}`),
  );
}

describe.each([
  ['inbound', inbound],
  ['outbound', outbound],
] as const)('every %s field of the API', (direction, draft) => {
  it('has a field in a form', () => {
    const drawn = [
      ...fieldsOfForms(draft),
      ...fieldsOfForms({ ...draft, options, agent: bot }),
      // What a form shows instead of something else.
      ...fieldsOfForms({ ...draft, auth_mode: 'ip', options }),
    ];
    expect(fieldsOfApi(direction).filter((path) => !drawn.includes(path))).toEqual([]);
  });

  it('is part of what the forms send when it is set', () => {
    const drafts = [draft, { ...draft, agent: bot }];
    const attached = drafts.flatMap((each) => fieldsOfBody(directionBody(each)));
    const updated = drafts.flatMap((each) =>
      fieldsOfBody(directionChanges({ type: direction }, each, 'cfg_1')),
    );
    const configured = fieldsOfBody(sectionChanges({}, draft));
    const missing = (sent: readonly string[]): string[] =>
      // Parameters and headers have any names.
      fieldsOfApi(direction).filter(
        (path) => ![...sent, ...configured].some((each) => each === path || each.startsWith(`${path}.`)),
      );
    expect(missing(attached)).toEqual([]);
    expect(missing(updated)).toEqual([]);
  });
});

it('has no exception for a field that the API does not have', () => {
  const all = (['inbound', 'outbound'] as const).flatMap((direction) => {
    const directions = resolved(bodyOf('/v1/sip/attach', 'post').properties!.directions!).items!;
    const updates = bodyOf('/v1/sip/update', 'post').properties!.updates!;
    const paths = [
      ...leavesOf(variantOf(directions, direction), ''),
      ...leavesOf(variantOf(updates, direction), ''),
      ...leavesOf(bodyOf('/v1/sip/config', 'patch'), ''),
    ];
    return paths.flatMap((path) => [path, `${direction} ${path}`]);
  });
  const unused = Object.keys(exceptions).filter(
    (name) => !all.some((path) => path === name || path.startsWith(`${name}.`)),
  );
  expect(unused).toEqual([]);
});
