import type { Configuration } from '../../../api/trunks.js';
import type { FormRequest } from '../../../forms/use-form.js';
import { type DirectionFields, fieldsOf } from '../edit/direction-fields.js';
import { attachRequest, sectionRequests, updateRequests } from '../edit/number-requests.js';
import type { StepName } from './steps.js';

/** What the steps of "Add number" edit: the number's first configuration of each direction, or what it shall become. */
export interface NumberPlan {
  readonly outbound: DirectionFields;
  readonly inbound: DirectionFields;
  /** Which directions the number shall have. */
  readonly wanted: { readonly outbound: boolean; readonly inbound: boolean };
}

type Existing = Readonly<Record<'inbound' | 'outbound', Configuration | undefined>>;

export const existingOf = (configurations: readonly Configuration[]): Existing => ({
  inbound: configurations.find(({ direction }) => direction === 'inbound'),
  outbound: configurations.find(({ direction }) => direction === 'outbound'),
});

/** The plan of a number as it is attached now; without a configuration, of one that calls and is called. */
export function planOf({ inbound, outbound }: Existing): NumberPlan {
  const isNew = inbound === undefined && outbound === undefined;
  return {
    outbound: outbound === undefined ? { type: 'outbound' } : fieldsOf(outbound),
    inbound: inbound === undefined ? { type: 'inbound', auth_mode: 'ip' } : fieldsOf(inbound),
    // What is missing is what is left to set up.
    wanted: { outbound: outbound !== undefined || isNew, inbound: true },
  };
}

/** What a step sends, in order; none: the API has it already, or the step changes nothing. */
export function stepRequests(
  step: StepName,
  phoneNumber: string,
  existing: Existing,
  before: NumberPlan,
  draft: NumberPlan,
): readonly FormRequest[] {
  const requestsOf = (direction: 'inbound' | 'outbound'): readonly FormRequest[] => {
    if (!draft.wanted[direction]) return [];
    const target = { phoneNumber, place: `${direction}.` };
    const configuration = existing[direction];
    const [from, to] = [before[direction], draft[direction]];
    return [
      ...(configuration === undefined
        ? [attachRequest(target, to)]
        : updateRequests(target, configuration.id, from, to)),
      ...sectionRequests(target, direction, from, to),
    ];
  };
  if (step === 'pbx') return requestsOf('outbound');
  if (step !== 'callers') return [];
  // The limits and credentials of calls from the number stand in this step too.
  return [...requestsOf('inbound'), ...(existing.outbound === undefined ? [] : requestsOf('outbound'))];
}
