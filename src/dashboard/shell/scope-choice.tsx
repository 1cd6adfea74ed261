import type { JSX } from 'preact';
import { changeScope, scope } from '../api/live.js';
import { isOperator } from '../api/session.js';
import { Choice } from '../parts/choice.js';

/** Lets operators choose between their own organization and the whole service. */
export function ScopeChoice(): JSX.Element | null {
  if (!isOperator.value) return null;
  return (
    <Choice
      label="Whose calls"
      value={scope.value}
      options={[
        ['organization', 'My organization'],
        ['fleet', 'Whole fleet'],
      ]}
      onChange={changeScope}
    />
  );
}
