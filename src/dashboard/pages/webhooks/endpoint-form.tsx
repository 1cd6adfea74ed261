import type { JSX, TargetedSubmitEvent } from 'preact';
import { useRef } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { ApiFailure } from '../../api/client.js';
import { may } from '../../api/members.js';
import { type ApiRequest, send } from '../../api/request.js';
import { type Endpoint, type EventFilter, eventsByArea, filtersOf, tickedBy } from '../../api/webhooks.js';
import { FormEnd } from '../../forms/form-end.js';
import { capitalized, spoken } from '../../parts/format.js';

export interface EndpointFields {
  readonly url: string;
  readonly description: string;
  readonly events: EventFilter[];
}

interface EndpointFormProps<Data> {
  /** Absent: a new one. */
  readonly endpoint?: Endpoint;
  readonly button: string;
  readonly request: (fields: EndpointFields) => ApiRequest<Data>;
  readonly onSaved: (saved: Data) => void;
}

/** URL, description and events of an endpoint. */
export function EndpointForm<Data>({
  endpoint,
  button,
  request,
  onSaved,
}: EndpointFormProps<Data>): JSX.Element {
  const form = useRef<HTMLFormElement>(null);
  const { isBusy, problem, setProblem, follow } = useAction();
  const isAllowed = may('webhooks:write');
  const ticked = tickedBy(endpoint?.events ?? ['*']);
  const read = (fields: FormData): ApiRequest<Data> =>
    request({
      url: String(fields.get('url') ?? '').trim(),
      description: String(fields.get('description') ?? '').trim(),
      events: filtersOf(new Set(fields.getAll('events').map(String))),
    });
  const save = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    if (fields.getAll('events').length === 0) {
      setProblem(new ApiFailure('Choose at least one event.', { status: 0, code: 'PAGE_ERROR' }));
      return;
    }
    follow(send(read(fields)), (saved) => {
      if (endpoint === undefined) form.current?.reset();
      onSaved(saved);
    });
  };
  const tickArea = (area: string, isTicked: boolean): void => {
    for (const box of form.current!.querySelectorAll<HTMLInputElement>(`[data-area="${area}"]`)) {
      box.checked = isTicked;
    }
  };
  return (
    <form class="plain-form" ref={form} onSubmit={save}>
      <label>
        URL
        <input
          name="url"
          type="url"
          required
          maxLength={2_048}
          defaultValue={endpoint?.url}
          placeholder="https://example.com/hooks"
          disabled={!isAllowed}
        />
      </label>
      <label>
        Description
        <input
          name="description"
          maxLength={200}
          defaultValue={endpoint?.description}
          autocomplete="off"
          disabled={!isAllowed}
        />
      </label>
      {Object.entries(eventsByArea).map(([area, events]) => (
        <fieldset class="plain-form event-area" key={area}>
          <legend>
            {capitalized(area)} events{' '}
            {events.length > 1 && isAllowed && (
              <>
                <button type="button" class="bare small" onClick={() => tickArea(area, true)}>
                  all
                </button>
                <button type="button" class="bare small" onClick={() => tickArea(area, false)}>
                  none
                </button>
              </>
            )}
          </legend>
          <div class="check-columns">
            {events.map((event) => (
              <label class="check" key={event}>
                <input
                  type="checkbox"
                  name="events"
                  value={event}
                  data-area={area}
                  defaultChecked={ticked.has(event)}
                  disabled={!isAllowed}
                />
                {capitalized(spoken(event.slice(area.length + 1)))}
              </label>
            ))}
          </div>
        </fieldset>
      ))}
      <FormEnd
        problem={problem?.message}
        scope="webhooks:write"
        button={button}
        isBusy={isBusy}
        request={read}
      />
    </form>
  );
}
