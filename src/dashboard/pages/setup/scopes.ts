import type { Scope } from '../../api/keys.js';

type Area<Name> = Name extends `${infer Own}:${string}` ? Own : never;

/** What a key may be limited to, in groups; complete, because each area of the API must be named. */
const areaNames = {
  trunks: 'Numbers, trunks, set-up',
  calls: 'Calls and records',
  alerts: 'Alerts',
  noc: 'Live state',
  usage: 'Usage',
  porting: 'Porting',
  personas: 'Personas and agents',
  pathways: 'Pathways',
  knowledge: 'Knowledge',
  contacts: 'Contacts',
  'agent-testing': 'Agent testing',
  webhooks: 'Webhooks and deliveries',
  keys: 'API keys',
  members: 'Members',
  organizations: 'All organizations (operators)',
} as const satisfies Readonly<Record<Area<Scope>, string>>;

type AreaName = keyof typeof areaNames;
export type Access = 'read' | 'write';

/** Neither `read` nor `write` includes it. */
export const listenScope: Scope = 'calls:listen';

const areasOf = {
  'Operate and connect': ['trunks', 'calls', 'alerts', 'noc', 'usage', 'porting'],
  'Build agents': ['personas', 'pathways', 'knowledge', 'contacts', 'agent-testing'],
  'Integrate and administer': ['webhooks', 'keys', 'members', 'organizations'],
} as const satisfies Readonly<Record<string, readonly AreaName[]>>;

/** A test compares the areas of all groups with the API's. */
export const scopeGroups: readonly (readonly [group: string, areas: readonly AreaName[]])[] = Object.entries(
  areasOf,
).map(([group, areas]) => [group, areas]);

export const areaText = (area: AreaName): string => areaNames[area];

/** The scope that a choice stands for; `write` includes `read`. */
export const scopeOf = (area: AreaName, access: Access): Scope => `${area}:${access}`;

/** Scopes with one more or one less: `write` replaces `read`, and without `read` there is no `write`. */
export function toggled(
  chosen: readonly Scope[],
  area: AreaName,
  access: Access,
  isOn: boolean,
): readonly Scope[] {
  const [read, write] = [scopeOf(area, 'read'), scopeOf(area, 'write')];
  const rest = chosen.filter((scope) => scope !== read && scope !== write);
  if (access === 'write') return [...rest, isOn ? write : read];
  return isOn ? [...rest, read] : rest;
}
