import type * as api from '../../../../../clients/typescript/src/index.js';
import type { SharedTrunk } from '../../../api/shared-trunks.js';
import { isSame } from '../../../forms/edits.js';
import type { FormRequest } from '../../../forms/use-form.js';
import {
  type DirectionBody,
  type DirectionFields,
  directionBody,
  fieldsOfBody,
  type Sections,
  sectionBodies,
  sectionChanges,
  sectionsOf,
} from '../edit/direction-fields.js';

/** A shared trunk as its form edits it. */
export interface TrunkDraft {
  readonly name: string;
  readonly directions: readonly DirectionFields[];
  readonly inbound: Sections;
  readonly outbound: Sections;
}

export const newTrunk: TrunkDraft = {
  name: '',
  directions: [{ type: 'outbound' }, { type: 'inbound', auth_mode: 'ip' }],
  inbound: {},
  outbound: {},
};

export const draftOf = ({ name, directions, inbound, outbound }: SharedTrunk): TrunkDraft => ({
  name,
  directions: directions.map(fieldsOfBody),
  inbound: sectionsOf(inbound),
  outbound: sectionsOf(outbound),
});

/** Whether a trunk stores passwords for the users that a direction names; the API finds them by user. */
export const storedFor = ({ directions }: TrunkDraft, { type, options, register_auth }: DirectionFields) => {
  const own = directions.filter((direction) => direction.type === type);
  const has = (user: string | undefined, users: readonly (string | undefined)[]): boolean =>
    (user ?? '') !== '' && users.includes(user);
  return {
    sipPassword: has(
      options?.sip_username,
      own.map((direction) => direction.options?.sip_username),
    ),
    registerPassword: has(
      register_auth?.username,
      own.map((direction) => direction.register_auth?.username),
    ),
  };
};

const bodiesOf = (before: TrunkDraft, draft: TrunkDraft): DirectionBody[] =>
  draft.directions.map((direction) => directionBody(direction, storedFor(before, direction)));

/** Paths of the API are those of the form, except of mappings, which are within an object that repeats the direction. */
const fieldOf = (path: string): string => path.replace(/^(directions\.\d+\.headers)\.headers/, '$1');

export const creationOf = (draft: TrunkDraft): FormRequest => {
  const body: api.CreateTrunkBody = {
    name: draft.name,
    directions: bodiesOf({ ...newTrunk, directions: [] }, draft),
    inbound: sectionBodies(draft.inbound),
    outbound: sectionBodies(draft.outbound),
  };
  return { request: (client) => client.createTrunk(body), fieldOf };
};

/** What differs; directions are replaced as a whole, because they have no ids. */
export function changesOf(trunk_id: string, before: TrunkDraft, draft: TrunkDraft): readonly FormRequest[] {
  const inbound = sectionChanges(before.inbound, draft.inbound);
  const outbound = sectionChanges(before.outbound, draft.outbound);
  const body: api.UpdateTrunkBody = {
    ...(isSame(before.name, draft.name) ? {} : { name: draft.name }),
    ...(isSame(before.directions, draft.directions) ? {} : { directions: bodiesOf(before, draft) }),
    ...(inbound === undefined ? {} : { inbound }),
    ...(outbound === undefined ? {} : { outbound }),
  };
  if (Object.keys(body).length === 0) return [];
  return [{ request: (client) => client.updateTrunk({ trunk_id }, body), fieldOf }];
}
