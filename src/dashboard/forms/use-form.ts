import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ApiFailure } from '../api/client.js';
import { type ApiRequest, send } from '../api/request.js';
import { changedPaths, type Edits, edited, valueAt, withEdits } from './edits.js';
import { forgetEdits, keepEdits, keptEdits } from './kept-edits.js';
import { type Refusal, refusalAt, refusalElsewhere } from './refusal.js';
import { useUnsavedWarning } from './unsaved.js';

/** A request of a form, and where the API's fields are in the form. */
export interface FormRequest {
  readonly request: ApiRequest;
  /** Path of the form's field for a field that an error of the API names; undefined: the form has none. */
  readonly fieldOf: (apiPath: string) => string | undefined;
}

export interface FormOptions<Before> {
  /** What the API has. */
  readonly before: Before;
  /** Keeps what was typed, without secrets, in this tab under the key: over reloads and other pages. */
  readonly keptAs?: string;
  /** The requests that make the API's values those of the draft, in order. */
  readonly requests: (before: Before, draft: Before) => readonly FormRequest[];
  readonly warnsUnsaved?: boolean;
}

export interface FormState {
  readonly value: (path: string) => unknown;
  readonly set: (path: string, value: unknown) => void;
  /** What the API refused at the field. */
  readonly problemAt: (path: string) => string | undefined;
  readonly isBusy: boolean;
}

export interface Form<Before> extends FormState {
  readonly draft: Before;
  /** Fields that differ from the API's. */
  readonly changed: readonly string[];
  /** The last failure; null while there is none. */
  readonly failure: ApiFailure | null;
  /** What the failure says of fields that the form has not shown. */
  readonly otherProblems: () => readonly string[];
  readonly requests: () => readonly ApiRequest[];
  /** Sends the requests one after the other, up to the first failure. @returns the data of the answers; undefined: one failed */
  readonly save: () => Promise<readonly unknown[] | undefined>;
  readonly discard: () => void;
}

/** The state of a form over values of the API: only what the user changed differs from them, however they change meanwhile. */
export function useForm<Before>({
  before,
  keptAs,
  requests,
  warnsUnsaved = true,
}: FormOptions<Before>): Form<Before> {
  const [edits, setEdits] = useState<Edits>(() => (keptAs === undefined ? {} : keptEdits(keptAs)));
  const [refused, setRefused] = useState<Refusal | undefined>();
  const [isBusy, setBusy] = useState(false);
  const shown = useRef(new Set<string>());
  const changed = useMemo(() => changedPaths(before, edits), [before, edits]);
  const draft = useMemo(() => withEdits(before, edits), [before, edits]);
  // At once: an effect after the next frame never runs where a person leaves the page before it.
  useLayoutEffect(() => {
    if (keptAs !== undefined) keepEdits(keptAs, edits);
  }, [keptAs, edits]);
  const saved = useRef<Edits | undefined>(undefined);
  // What was saved is part of what the API has as soon as that is read again.
  useEffect(() => {
    const done = saved.current;
    if (done === undefined) return;
    saved.current = undefined;
    setEdits((current) =>
      Object.fromEntries(Object.entries(current).filter(([path, value]) => done[path] !== value)),
    );
  }, [before]);
  useUnsavedWarning(warnsUnsaved && changed.length > 0);

  const changes = (): readonly FormRequest[] => requests(before, draft);

  const save = async (): Promise<readonly unknown[] | undefined> => {
    setBusy(true);
    setRefused(undefined);
    const answers: unknown[] = [];
    for (const { request, fieldOf } of changes()) {
      try {
        answers.push(await send(request));
      } catch (reason) {
        const failure =
          reason instanceof ApiFailure
            ? reason
            : new ApiFailure(String(reason), { status: 0, code: 'PAGE_ERROR', cause: reason });
        setRefused({ failure, draft, fieldOf });
        setBusy(false);
        return undefined;
      }
    }
    saved.current = edits;
    setBusy(false);
    return answers;
  };
  const discard = (): void => {
    if (keptAs !== undefined) forgetEdits(keptAs);
    setEdits({});
    setRefused(undefined);
  };
  return {
    draft,
    changed,
    isBusy,
    failure: refused?.failure ?? null,
    value: (path) => valueAt(draft, path),
    set: (path, value) => setEdits((current) => edited(current, path, value)),
    problemAt: (path) => {
      shown.current.add(path);
      return refused && refusalAt(refused, draft, path);
    },
    otherProblems: () => (refused === undefined ? [] : refusalElsewhere(refused, shown.current)),
    requests: () => changes().map(({ request }) => request),
    save,
    discard,
  };
}
