import type * as api from '../../../../../clients/typescript/src/index.js';
import type { Configuration } from '../../../api/trunks.js';
import { type AgentField, agentBody, agentField } from '../../../forms/agent.js';
import { isSame, withoutEmpty } from '../../../forms/edits.js';

/** One direction of a number or trunk as forms edit it: the API's fields under the API's names; absent: not set. */

export type DirectionBody = NonNullable<api.AttachNumbersBody['directions']>[number];
type InboundBody = Extract<DirectionBody, { type: 'inbound' }>;
type OutboundBody = Extract<DirectionBody, { type: 'outbound' }>;
export type DirectionChanges = api.UpdateDirectionBody['updates'];

/** What `PATCH /v1/sip/config` changes, without alerts, which have a separate form. */
export interface Sections {
  readonly codec_config?: api.CodecSettings | null | undefined;
  readonly failover_config?: api.FailoverSettings | null | undefined;
  readonly limits?: api.ConfigureDirectionBody['limits'];
  readonly transfer_config?: api.ConfigureDirectionBody['transfer_config'];
}

export type DirectionOptions = api.DirectionOptions;
export type HeaderMapping = api.InboundHeaders['headers'][number];

export interface DirectionFields extends Sections {
  readonly type: 'inbound' | 'outbound';
  readonly auth_mode?: 'ip' | 'register' | undefined;
  readonly register_auth?: { readonly username?: string; readonly password?: string } | undefined;
  readonly allowed_ips?: readonly string[] | undefined;
  /** A SIP URI, or a WebSocket server; outbound: of calls that the number places. */
  readonly agent?: AgentField;
  readonly registrar?: string | undefined;
  readonly sip_endpoint?: string | undefined;
  readonly options?: DirectionOptions | undefined;
  readonly headers?: readonly HeaderMapping[] | undefined;
}

const redacted = '[redacted]';

/** The form's fields of a configuration. Stored passwords are absent: a typed one replaces them. */
export function fieldsOf(configuration: Configuration): DirectionFields {
  const { direction, options, register_auth, allowed_ips, headers, agent, agent_streams } = configuration;
  const { auth_mode, sip_password: _, ...rest } = options;
  const isInbound = direction === 'inbound';
  return {
    type: direction,
    ...(isInbound ? { auth_mode: auth_mode ?? 'ip', allowed_ips: allowed_ips ?? [] } : {}),
    agent: agentField(agent_streams.find(({ url }) => url === agent) ?? agent),
    ...(isInbound ? { registrar: configuration.registrar ?? undefined } : {}),
    ...(isInbound ? {} : { sip_endpoint: configuration.sip_endpoint ?? undefined }),
    ...(register_auth === null ? {} : { register_auth: { username: register_auth.username } }),
    options: rest,
    headers: (headers?.headers ?? []) as unknown as HeaderMapping[],
    ...sectionsOf(configuration),
  };
}

const sectionNames = ['codec_config', 'failover_config', 'limits', 'transfer_config'] as const;

/** The sections that are set. */
export function sectionsOf(configured: Readonly<Partial<Record<keyof Sections, unknown>>>): Sections {
  const set = sectionNames.filter((name) => (configured[name] ?? null) !== null);
  return Object.fromEntries(set.map((name) => [name, configured[name]]));
}

/** The fields of a direction as a trunk shows it. */
export function fieldsOfBody(direction: Readonly<Record<string, unknown>>): DirectionFields {
  const { headers, options, register_auth, ...rest } = direction as unknown as DirectionBody & {
    register_auth?: { username: string };
  };
  const { sip_password: _, ...shown } = options ?? {};
  return {
    ...(rest as object),
    type: rest.type,
    options: shown,
    headers: headers?.headers ?? [],
    ...(register_auth === undefined ? {} : { register_auth: { username: register_auth.username } }),
  };
}

/** The direction as `attach` and trunks take it. `stored`: which passwords keep their value when none is typed. */
export function directionBody(
  fields: DirectionFields,
  stored: { readonly sipPassword?: boolean; readonly registerPassword?: boolean } = {},
): DirectionBody {
  const { type, headers = [], options = {}, register_auth = {} } = fields;
  const password = (typed: string | undefined, isStored: boolean | undefined): string | undefined =>
    (typed ?? '') === '' && isStored ? redacted : typed;
  const common = {
    options: withoutEmpty({
      ...options,
      ...(isEmpty(options.sip_username)
        ? {}
        : { sip_password: password(options.sip_password, stored.sipPassword) }),
    }),
    headers: headers.length === 0 ? undefined : { direction: type, headers: [...headers] },
  };
  const { auth_mode = 'ip' } = fields;
  const own =
    type === 'outbound'
      ? { sip_endpoint: fields.sip_endpoint ?? '', agent: agentBody(fields.agent) }
      : {
          auth_mode,
          allowed_ips: (fields.allowed_ips ?? []).length === 0 ? undefined : fields.allowed_ips,
          agent: agentBody(fields.agent),
          registrar: auth_mode === 'register' ? withoutEmpty(fields.registrar) : undefined,
          register_auth:
            auth_mode === 'register'
              ? {
                  username: register_auth.username ?? '',
                  password: password(register_auth.password, stored.registerPassword) ?? '',
                }
              : undefined,
        };
  return defined({ type, ...own, ...common }) as unknown as InboundBody | OutboundBody;
}

const isEmpty = (value: string | undefined): boolean => (value ?? '') === '';

const defined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** Fields that null clears. */
const clearable = ['agent', 'registrar'] as const;
const optionNames = [
  'agents',
  'port',
  'transport',
  'secure_media',
  'symmetric_rtp',
  'sip_username',
  'sip_realm',
  'tls_ca',
] as const satisfies readonly Exclude<keyof DirectionOptions, 'sip_password'>[];

/** What differs, as `POST /v1/sip/update` takes it; undefined: nothing. */
export function directionChanges(
  before: DirectionFields,
  draft: DirectionFields,
  id: string,
): DirectionChanges | undefined {
  const changes: Record<string, unknown> = {};
  const isInbound = draft.type === 'inbound';
  const isRegistered = draft.auth_mode === 'register';
  if (isInbound) {
    if (!isSame(before.auth_mode, draft.auth_mode)) changes.auth_mode = draft.auth_mode;
    if (!isSame(before.allowed_ips, draft.allowed_ips)) changes.allowed_ips = draft.allowed_ips ?? [];
    for (const name of clearable)
      if (!isSame(before[name], draft[name]))
        changes[name] = (name === 'agent' ? agentBody(draft.agent) : withoutEmpty(draft[name])) ?? null;
    // What the API requires with a change away from a registration.
    if (before.auth_mode === 'register' && !isRegistered) {
      changes.agent = agentBody(draft.agent) ?? null;
      delete changes.registrar;
    }
    if (isRegistered && !isSame(before.register_auth, draft.register_auth)) {
      const { username = '', password = '' } = draft.register_auth ?? {};
      changes.register_auth = { username, password };
    }
  } else {
    if (!isSame(before.sip_endpoint, draft.sip_endpoint)) changes.sip_endpoint = draft.sip_endpoint ?? '';
    if (!isSame(before.agent, draft.agent)) changes.agent = agentBody(draft.agent) ?? null;
  }
  const options = optionChanges(before.options ?? {}, draft.options ?? {});
  if (options !== undefined) changes.options = options;
  if (!isSame(before.headers, draft.headers)) {
    const headers = draft.headers ?? [];
    changes.headers = headers.length === 0 ? null : { direction: draft.type, headers };
  }
  if (Object.keys(changes).length === 0) return undefined;
  return { type: draft.type, id, ...changes } as DirectionChanges;
}

function optionChanges(
  before: DirectionOptions,
  draft: DirectionOptions,
): Readonly<Record<string, unknown>> | undefined {
  const changed = optionNames.filter((name) => !isSame(before[name], draft[name]));
  const changes: Record<string, unknown> = Object.fromEntries(
    changed.map((name) => [name, withoutEmpty(draft[name]) ?? null]),
  );
  if (!isEmpty(draft.sip_password)) changes.sip_password = draft.sip_password;
  // A password is of no use without its user.
  if (changes.sip_username === null) {
    changes.sip_password = null;
    if (!isEmpty(before.sip_realm)) changes.sip_realm = null;
  }
  return Object.keys(changes).length === 0 ? undefined : changes;
}

/** The sections that differ, as `PATCH /v1/sip/config` takes them; undefined: none. */
export function sectionChanges(before: Sections, draft: Sections): Sections | undefined {
  const changed = sectionNames.filter((name) => !isSame(before[name], draft[name]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((name) => [name, sectionBody(name, draft)]));
}

/** The sections that are set, as creation of a trunk takes them. */
export function sectionBodies(draft: Sections): Sections {
  const set = sectionNames.filter((name) => sectionBody(name, draft) !== null);
  return Object.fromEntries(set.map((name) => [name, sectionBody(name, draft)]));
}

function sectionBody(name: keyof Sections, draft: Sections): unknown {
  const section = draft[name];
  if (name === 'failover_config') {
    const failover = section as api.FailoverSettings | null | undefined;
    if ((failover?.endpoints ?? []).length === 0) return null;
    // Their order is their priority.
    const endpoints = failover!.endpoints.map((endpoint, at) => ({
      ...withoutEmpty(endpoint),
      priority: at + 1,
    }));
    return { ...failover, endpoints };
  }
  if (name === 'transfer_config') {
    const transfer = section as Sections['transfer_config'];
    return (transfer?.mode ?? null) === null ? null : defined({ ...transfer });
  }
  return withoutEmpty(section) ?? null;
}
