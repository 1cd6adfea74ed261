import { DemarcError } from '../../../../../clients/typescript/src/index.js';
import type { ApiRequest } from '../../../api/request.js';
import type { FormRequest } from '../../../forms/use-form.js';
import {
  type DirectionFields,
  directionBody,
  directionChanges,
  type Sections,
  sectionChanges,
} from './direction-fields.js';

/** The requests that change a number, each with the fields of the form that its errors belong to. */

/** Paths of the API below `prefix` are those of the form below `place`. */
const below =
  (prefix: string, place: string) =>
  (path: string): string | undefined => {
    if (!path.startsWith(prefix)) return path === 'phone_number' ? path : undefined;
    // A list of mappings is within an object that repeats the direction.
    return place + path.slice(prefix.length).replace(/^headers\.headers/, 'headers');
  };

interface Target {
  readonly phoneNumber: string;
  /** `ETag` of the configuration that the form shows; undefined: the last change wins. */
  readonly entityTag?: string | undefined;
  /** Before the paths of the form's fields: `outbound.`. */
  readonly place?: string;
}

/** One configuration; none: nothing differs. */
export function updateRequests(
  { phoneNumber, entityTag, place = '' }: Target,
  id: string,
  before: DirectionFields,
  draft: DirectionFields,
): readonly FormRequest[] {
  const updates = directionChanges(before, draft, id);
  if (updates === undefined) return [];
  return [
    {
      request: (client) =>
        client.updateDirection({ phone_number: phoneNumber, updates }, { ifMatch: entityTag }),
      fieldOf: below('updates.', place),
    },
  ];
}

/** Codecs, failover, limits and transfers of a direction; none: nothing differs. */
export function sectionRequests(
  { phoneNumber, entityTag, place = '' }: Target,
  direction: DirectionFields['type'],
  before: Sections,
  draft: Sections,
): readonly FormRequest[] {
  const sections = sectionChanges(before, draft);
  if (sections === undefined) return [];
  return [
    {
      request: (client) =>
        client.configureDirection(
          { phone_number: phoneNumber, direction, ...sections },
          { ifMatch: entityTag },
        ),
      fieldOf: below('', place),
    },
  ];
}

/** A direction that the number does not have yet. */
export const attachRequest = ({ phoneNumber, place = '' }: Target, fields: DirectionFields): FormRequest => ({
  request: attaching(phoneNumber, fields),
  fieldOf: below('directions.0.', place),
});

/** A number that cannot be attached is an error of the request here: there is only one. */
const attaching =
  (phoneNumber: string, fields: DirectionFields): ApiRequest =>
  async (client) => {
    const answer = await client.attachNumbers({
      phone_numbers: [phoneNumber],
      directions: [directionBody(fields)],
      service: 'sip',
    });
    const [failed] = answer.data.failed;
    if (failed === undefined) return answer;
    throw new DemarcError(failed.message, { status: 409, code: failed.error as DemarcError['code'] });
  };
