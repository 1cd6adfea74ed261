import { describe, expect, it } from 'vitest';
import {
  type AssertionType,
  assertionForms,
  assertionTypes,
  type Config,
  fieldsOf,
  initialConfig,
} from '../../../../../src/dashboard/pages/testing/assertion-fields.js';
import { AssertionForm } from '../../../../../src/dashboard/pages/testing/assertion-form.js';
import { type Rendered, rendered } from '../../rendered.js';

const composed: ReadonlySet<string> = new Set(['nodes', 'arguments', 'examples']);
const allTypes = assertionTypes.map((type) => [type] as const);

interface Changed {
  readonly type?: AssertionType;
  readonly config: Config;
  readonly is_required: boolean;
  readonly weight: number;
  readonly name: string;
}

function form(
  type: AssertionType,
  config: Config = initialConfig(type),
  nodes: { id: string; name: string }[] = [],
) {
  const changes: Changed[] = [];
  const assertion = { type, config, name: 'Books', is_required: true, weight: 2 };
  const shown = rendered(
    <AssertionForm
      assertion={assertion as never}
      position={3}
      nodes={nodes as never}
      problems={['too long']}
      onChange={(changed) => changes.push(changed as never)}
      onRemove={() => changes.push({ name: 'removed' } as never)}
    />,
  );
  return { shown, changes };
}

const controlsOf = ({ elements }: Rendered): number =>
  ['input', 'select', 'textarea'].reduce((sum, name) => sum + elements(name).length, 0);

describe('the form of an assertion', () => {
  it.each(allTypes)('of type %s shows one control for each of its fields', (type) => {
    const fields = fieldsOf(type, initialConfig(type));
    const { shown } = form(type);
    for (const { label } of fields) expect(shown.text).toContain(label);
    expect(shown.text).toContain(assertionForms[type].title);
    expect(shown.text).toContain('too long');
    // Type, required, weight and name are those of every assertion.
    if (!fields.some(({ kind }) => composed.has(kind))) expect(controlsOf(shown)).toBe(4 + fields.length);
  });

  it.each(allTypes)('of type %s keeps the other fields when one changes', (type) => {
    const { shown, changes } = form(type, { ...initialConfig(type), kept: 'x' });
    for (const control of [...shown.elements('textarea'), ...shown.elements('select').slice(1)]) {
      const change = control.onInput ?? control.onChange;
      change?.({ currentTarget: { value: 'new', checked: true, valueAsNumber: 1 } });
    }
    for (const { config } of changes) expect(config).toMatchObject({ kept: 'x' });
  });

  it('changes what every assertion has, and nothing else', () => {
    const { shown, changes } = form(assertionTypes[0]!);
    const [type] = shown.elements('select');
    const [required, weight, name] = shown.elements('input');
    type!.onChange({ currentTarget: { value: assertionTypes[1] } });
    required!.onChange({ currentTarget: { checked: false } });
    weight!.onInput({ currentTarget: { valueAsNumber: 5 } });
    weight!.onInput({ currentTarget: { valueAsNumber: Number.NaN } });
    name!.onInput({ currentTarget: { value: 'Other' } });
    expect(changes[0]).toMatchObject({ type: assertionTypes[1], config: initialConfig(assertionTypes[1]!) });
    expect(changes[1]).toMatchObject({ is_required: false, name: 'Books', weight: 2 });
    expect([changes[2]!.weight, changes[3]!.weight]).toEqual([5, 1]);
    expect(changes[4]).toMatchObject({ name: 'Other', is_required: true });
  });

  const withNode = assertionTypes.find((type) =>
    fieldsOf(type, initialConfig(type)).some(({ kind }) => kind === 'node'),
  )!;
  const field = fieldsOf(withNode, initialConfig(withNode)).find(({ kind }) => kind === 'node')!;

  it('chooses a node by its name, keeps an id that the version lacks, and takes an id without a pathway', () => {
    const nodes = [
      { id: 'n1', name: 'Greeting' },
      { id: 'n2', name: 'Booking' },
    ];
    const config = (id: string) => ({ ...initialConfig(withNode), [field.name]: id });
    expect(form(withNode, config('n1'), nodes).shown.text).toContain('Greeting Booking');
    expect(form(withNode, config('n1'), nodes).shown.text).not.toContain('not in this version');
    expect(form(withNode, config(''), nodes).shown.text).not.toContain('not in this version');
    expect(form(withNode, config('gone'), nodes).shown.text).toContain('gone (not in this version)');
    const byId = form(withNode, config('n1')).shown.elements('input');
    expect(byId.find(({ placeholder }) => placeholder === 'Id of the node, or name of the tool')!.value).toBe(
      'n1',
    );
  });
});
