import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { ArgumentsField } from './arguments-field.js';
import type { AssertionDraft } from './assertion-draft.js';
import {
  type AssertionType,
  assertionForms,
  assertionTypes,
  type ConfigField,
  fieldsOf,
  initialConfig,
  linesFrom,
  listFrom,
} from './assertion-fields.js';
import { ExamplesField } from './examples-field.js';
import type { NamedNode } from './nodes.js';

interface AssertionFormProps {
  readonly assertion: AssertionDraft;
  readonly position: number;
  /** Nodes of the pathway under test; empty: another target. */
  readonly nodes: readonly NamedNode[];
  readonly problems: readonly string[];
  readonly onChange: (assertion: AssertionDraft) => void;
  readonly onRemove: () => void;
}

export function AssertionForm(props: AssertionFormProps): JSX.Element {
  const { assertion, position, nodes, problems, onChange, onRemove } = props;
  const { type, config } = assertion;
  const form = assertionForms[type];
  const note = useId();
  const change = (changed: Partial<AssertionDraft>): void => onChange({ ...assertion, ...changed });
  return (
    <li class="assertion">
      <fieldset class="stacked" aria-describedby={note}>
        <legend class="unseen">
          Assertion {position}, {form.title}
        </legend>
        <div class="assertion-head">
          <label>
            <span class="unseen">Type</span>
            <select
              value={type}
              onChange={({ currentTarget: { value } }) =>
                change({ type: value as AssertionType, config: initialConfig(value as AssertionType) })
              }
            >
              {assertionTypes.map((assertionType) => (
                <option value={assertionType} key={assertionType}>
                  {assertionForms[assertionType].title}
                </option>
              ))}
            </select>
          </label>
          <label class="check">
            <input
              type="checkbox"
              checked={assertion.is_required}
              onChange={({ currentTarget: { checked } }) => change({ is_required: checked })}
            />
            Required
          </label>
          <label class="with-unit">
            Weight
            <input
              type="number"
              class="short"
              min={0}
              max={100}
              step="any"
              value={assertion.weight}
              onInput={({ currentTarget: { valueAsNumber } }) =>
                change({ weight: Number.isNaN(valueAsNumber) ? 1 : valueAsNumber })
              }
            />
          </label>
          <button type="button" class="small" onClick={onRemove}>
            Remove<span class="unseen"> assertion {position}</span>
          </button>
        </div>
        <p class="note" id={note}>
          {form.note}
        </p>
        {problems.map((message) => (
          <p class="field-problem" key={message}>
            {message}
          </p>
        ))}
        <label>
          Name in results (optional)
          <input
            value={assertion.name}
            maxLength={200}
            onInput={({ currentTarget: { value } }) => change({ name: value })}
          />
        </label>
        {fieldsOf(type, config).map((field) => (
          <FieldOf
            key={field.name}
            field={field}
            value={config[field.name]}
            nodes={nodes}
            onChange={(value) => change({ config: { ...config, [field.name]: value } })}
          />
        ))}
      </fieldset>
    </li>
  );
}

interface FieldProps {
  readonly field: ConfigField;
  readonly value: unknown;
  readonly nodes: readonly NamedNode[];
  readonly onChange: (value: unknown) => void;
}

const textOf = (value: unknown): string => (value === undefined || value === null ? '' : String(value));

function FieldOf({ field, value, nodes, onChange }: FieldProps): JSX.Element {
  const { label, kind, isRequired = false, placeholder } = field;
  if (kind === 'check') {
    return (
      <label class="check">
        <input
          type="checkbox"
          checked={value === true}
          onChange={({ currentTarget: { checked } }) => onChange(checked)}
        />
        {label}
      </label>
    );
  }
  if (kind === 'nodes') return <NodesField field={field} value={value} nodes={nodes} onChange={onChange} />;
  if (kind === 'examples') return <ExamplesField label={label} value={value} onChange={onChange} />;
  if (kind === 'arguments') return <ArgumentsField label={label} value={value} onChange={onChange} />;
  const common = { required: isRequired, placeholder, value: textOf(value) };
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Each kind of field has its control in the label.
    <label>
      {label}
      {kind === 'text' && (
        <textarea rows={3} {...common} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
      {kind === 'line' && (
        <input {...common} onInput={({ currentTarget }) => onChange(currentTarget.value)} />
      )}
      {kind === 'number' && (
        <input
          {...common}
          type="number"
          class="short"
          min={field.minimum}
          max={field.maximum}
          step={field.step ?? 'any'}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            onChange(Number.isNaN(valueAsNumber) ? undefined : valueAsNumber)
          }
        />
      )}
      {kind === 'list' && (
        <input
          required={isRequired}
          placeholder={placeholder}
          defaultValue={Array.isArray(value) ? value.join(', ') : ''}
          onInput={({ currentTarget }) => onChange(listFrom(currentTarget.value))}
        />
      )}
      {kind === 'lines' && (
        <textarea
          rows={3}
          placeholder={placeholder}
          defaultValue={Array.isArray(value) ? value.join('\n') : ''}
          onInput={({ currentTarget }) => onChange(linesFrom(currentTarget.value))}
        />
      )}
      {kind === 'choice' && (
        <select value={textOf(value)} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          {(field.options ?? []).map(([option, text]) => (
            <option value={option} key={option}>
              {text}
            </option>
          ))}
        </select>
      )}
      {kind === 'node' && <NodeField {...common} nodes={nodes} onChange={onChange} />}
    </label>
  );
}

/** A node by its name; by its id where the pathway is not known. */
function NodeField({
  nodes,
  value,
  required,
  onChange,
}: {
  nodes: readonly NamedNode[];
  value: string;
  required: boolean;
  onChange: (value: unknown) => void;
}): JSX.Element {
  if (nodes.length === 0) {
    return (
      <input
        value={value}
        required={required}
        placeholder="Id of the node, or name of the tool"
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  }
  const isUnknown = value !== '' && !nodes.some(({ id }) => id === value);
  return (
    <select value={value} required={required} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      <option value="">{required ? 'Choose a node' : 'Any node'}</option>
      {isUnknown && <option value={value}>{value} (not in this version)</option>}
      {nodes.map(({ id, name }) => (
        <option value={id} key={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** Nodes in an order. */
function NodesField({ field: { label }, value, nodes, onChange }: FieldProps): JSX.Element {
  const chosen: readonly string[] = Array.isArray(value) ? value.map(String) : [];
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  if (nodes.length === 0) {
    return (
      <label>
        {label}: ids or names, separated by commas
        <input
          required
          defaultValue={chosen.join(', ')}
          placeholder="greeting, booking, goodbye"
          onInput={({ currentTarget }) => onChange(listFrom(currentTarget.value))}
        />
      </label>
    );
  }
  return (
    <div class="node-list">
      <label>
        {label}
        <select
          value=""
          required={chosen.length === 0}
          onChange={({ currentTarget }) => {
            if (currentTarget.value !== '') onChange([...chosen, currentTarget.value]);
            currentTarget.value = '';
          }}
        >
          <option value="">Add a node</option>
          {nodes.map(({ id, name }) => (
            <option value={id} key={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {chosen.length > 0 && (
        <ol class="chips">
          {chosen.map((id, index) => (
            <li key={`${index} ${id}`}>
              {names.get(id) ?? id}
              <button
                type="button"
                class="bare small"
                onClick={() => onChange(chosen.filter((_, position) => position !== index))}
              >
                <span aria-hidden="true">×</span>
                <span class="unseen">Remove {names.get(id) ?? id}</span>
              </button>
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
