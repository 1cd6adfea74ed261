import type { GeneratedScenario, ScenarioBody } from '../../api/testing.js';

/** Which assertions of generated scenarios are confirmed, by `keyOf`. */
export type Confirmed = ReadonlySet<string>;

/** One assertion of a suite. */
export const keyOf = (scenario: number, assertion: number): string => `${scenario}.${assertion}`;

const keysOf = ({ scenario }: GeneratedScenario, at: number): string[] =>
  scenario.assertions.map((_, index) => keyOf(at, index));

/** Every assertion of the suite. */
export const allConfirmed = (suite: readonly GeneratedScenario[]): Confirmed =>
  new Set(suite.flatMap(keysOf));

/** With these keys confirmed, or not if all of them were. */
export function toggled(confirmed: Confirmed, keys: readonly string[]): Confirmed {
  const changed = new Set(confirmed);
  const isAll = keys.every((key) => confirmed.has(key));
  for (const key of keys) {
    if (isAll) changed.delete(key);
    else changed.add(key);
  }
  return changed;
}

export const toggledScenario = (
  confirmed: Confirmed,
  suite: readonly GeneratedScenario[],
  at: number,
): Confirmed => toggled(confirmed, keysOf(suite[at]!, at));

/** The scenarios with a confirmed assertion, each with those alone, as they are created. */
export const confirmedBodies = (suite: readonly GeneratedScenario[], confirmed: Confirmed): ScenarioBody[] =>
  suite.flatMap(({ scenario }, at) => {
    const assertions = scenario.assertions
      .filter((_, index) => confirmed.has(keyOf(at, index)))
      .map(({ type, name, config, is_required, weight }) => ({ type, name, config, is_required, weight }));
    // The API takes what it has generated, which the types cannot show.
    return assertions.length === 0 ? [] : [{ ...scenario, assertions } as ScenarioBody];
  });
