import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { query } from '../api/client.js';
import { changeScope, scope } from '../api/live.js';
import type { Scope } from '../api/noc.js';
import { isOperator } from '../api/session.js';
import { Choice } from '../parts/choice.js';

/** Lets operators choose between their own organization and the whole service; the address says which, so that it can be shared. */
export function ScopeChoice(): JSX.Element | null {
  const { path, query: search, route } = useLocation();
  const [requested, current] = [search.scope, scope.value];
  const addressOf = (chosen: Scope): string => {
    const { scope: _, before: __, organization: ___, ...rest } = search;
    return `${path}${query({ ...rest, scope: chosen === 'fleet' ? chosen : undefined })}`;
  };
  // A page that is opened by its address shows what the address says.
  useEffect(() => {
    if (isOperator.value && requested === 'fleet') changeScope('fleet');
  }, [requested]);
  // Links between pages do not carry the choice.
  useEffect(() => {
    if (scope.peek() === 'fleet' && requested === undefined) {
      route(`${path}${query({ ...search, scope: 'fleet' })}`, true);
    }
  }, [path]);
  if (!isOperator.value) return null;
  return (
    <Choice
      label="Whose calls"
      value={current}
      options={[
        ['organization', 'My organization'],
        ['fleet', 'Whole fleet'],
      ]}
      onChange={(chosen) => {
        changeScope(chosen);
        route(addressOf(chosen), true);
      }}
    />
  );
}
