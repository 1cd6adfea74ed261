import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import { learningOf } from '../../api/knowledge.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import { octets } from '../../parts/format.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

const maximumOctets = 1024 * 1024;
const encoder = new TextEncoder();

/** @param onEnd called when the text is sent, or the user cancels */
export function AddText({ onEnd }: { onEnd: () => void }): JSX.Element {
  const [name, setName] = useState('');
  const [text, setText] = useState('');
  const { isBusy, problem, follow } = useAction();
  const size = encoder.encode(text).length;

  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (name === '') setName(file.name.replace(/\.\w+$/, ''));
    void file.text().then(setText);
  };
  const request = (fields: FormData) => {
    const description = String(fields.get('description') ?? '').trim();
    return learningOf({ type: 'text', name, text, ...(description === '' ? {} : { description }) });
  };
  const learn = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    follow(send(request(new FormData(event.currentTarget))), onEnd);
  };
  return (
    <Panel
      title="Add text"
      note="Markdown headings divide the text, and are shown with each passage that a search finds."
    >
      <form class="knowledge-form" onSubmit={learn}>
        <label>
          Name
          <input
            name="name"
            required
            maxLength={200}
            autocomplete="off"
            value={name}
            onInput={(event) => setName(event.currentTarget.value)}
          />
        </label>
        <label>
          Description <span class="note">optional</span>
          <input name="description" maxLength={2_000} autocomplete="off" />
        </label>
        <label>
          Text
          <textarea
            name="text"
            rows={10}
            required
            value={text}
            placeholder={'# Opening hours\n\nWe are open Monday to Friday from 9 to 18.'}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </label>
        <label>
          From a file <span class="note">plain text or Markdown in UTF-8</span>
          <input
            type="file"
            accept=".txt,.md,.markdown,text/plain,text/markdown"
            onChange={(event) => take(event.currentTarget.files?.[0])}
          />
        </label>
        {problem !== undefined && (
          <Problem title="Text not added">
            <p>{problem.message}</p>
          </Problem>
        )}
        <div class="buttons">
          <button type="submit" class="primary" disabled={isBusy || size > maximumOctets}>
            Learn this text
          </button>
          <button type="button" onClick={onEnd}>
            Cancel
          </button>
          <span class={size > maximumOctets ? 'field-problem' : 'note'} role="status">
            {octets(size)} of {octets(maximumOctets)}
            {size > maximumOctets && ': split it into several texts'}
          </span>
        </div>
        <AsCurl requests={(fields) => [request(fields)]} />
      </form>
    </Panel>
  );
}
