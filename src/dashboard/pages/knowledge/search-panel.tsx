import type { JSX, TargetedSubmitEvent } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../../api/action.js';
import {
  answerOf,
  type KnowledgeAnswer,
  type KnowledgeBase,
  type KnowledgeFound,
  type KnowledgePassage,
  searchOf,
} from '../../api/knowledge.js';
import { send } from '../../api/request.js';
import { AsCurl } from '../../parts/as-curl.js';
import { milliseconds } from '../../parts/format.js';
import { Icon } from '../../parts/icons.js';
import { Empty, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';

interface Answered {
  readonly query: string;
  readonly found: KnowledgeFound;
  readonly milliseconds: number;
}

const queryOf = (fields: FormData): string => String(fields.get('query') ?? '').trim();
const requestOf = (fields: FormData) =>
  searchOf(queryOf(fields), String(fields.get('base') ?? '') || undefined);

/** What an agent would find for a caller's question. */
export function SearchPanel({ bases }: { bases: readonly KnowledgeBase[] }): JSX.Element {
  const [answered, setAnswered] = useState<Answered | undefined>();
  const [reply, setReply] = useState<KnowledgeAnswer | undefined>();
  const [base, setBase] = useState('');
  const { isBusy, problem, follow } = useAction();
  const search = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const query = queryOf(fields);
    const begun = performance.now();
    setReply(undefined);
    follow(send(requestOf(fields)), (found) =>
      setAnswered({ query, found, milliseconds: performance.now() - begun }),
    );
  };
  const answer = (form: HTMLFormElement | null): void => {
    if (form === null || !form.reportValidity()) return;
    setAnswered(undefined);
    follow(send(answerOf(base, queryOf(new FormData(form)))), setReply);
  };
  return (
    <Panel
      title="Try a question"
      note="Shows the passages that an agent gets for it, or what the language model answers from one knowledge base alone."
    >
      <form class="filters" onSubmit={search}>
        <label class="grow">
          Question
          <input
            name="query"
            required
            maxLength={2_000}
            autocomplete="off"
            placeholder="When are you open on Saturdays?"
          />
        </label>
        <label>
          In
          <select name="base" value={base} onChange={(event) => setBase(event.currentTarget.value)}>
            <option value="">All knowledge bases</option>
            {bases
              .filter(({ status }) => status === 'COMPLETED')
              .map(({ id, name }) => (
                <option value={id} key={id}>
                  {name}
                </option>
              ))}
          </select>
        </label>
        <button type="submit" disabled={isBusy}>
          <Icon name="search" /> Search
        </button>
        <button
          type="button"
          disabled={isBusy || base === ''}
          title={base === '' ? 'Choose a knowledge base' : undefined}
          onClick={(event) => answer(event.currentTarget.form)}
        >
          Answer
        </button>
        <AsCurl requests={(fields) => [requestOf(fields)]} />
      </form>
      {problem !== undefined && (
        <Problem title="Search failed">
          <p>{problem.message}</p>
        </Problem>
      )}
      {answered !== undefined && problem === undefined && <Passages answered={answered} />}
      {reply !== undefined && problem === undefined && <Reply reply={reply} />}
    </Panel>
  );
}

export function Reply({ reply: { response, note, sources } }: { reply: KnowledgeAnswer }): JSX.Element {
  return (
    <div class="passages" role="status">
      {note !== null && <p class="note">{note}</p>}
      <p>{response ?? 'No answer.'}</p>
      {sources.length > 0 && (
        <details>
          <summary>
            From {sources.length} {sources.length === 1 ? 'passage' : 'passages'}
          </summary>
          <ol>
            {sources.map((passage) => (
              <PassageItem key={passage.id} passage={passage} />
            ))}
          </ol>
        </details>
      )}
    </div>
  );
}

function Passages({ answered: { query, found, milliseconds: took } }: { answered: Answered }): JSX.Element {
  const { results, note } = found;
  return (
    <div class="passages" role="status">
      {note !== null && <p class="note">{note}</p>}
      {results.length === 0 ? (
        <Empty title="No passages found">No text has a word of “{query}”.</Empty>
      ) : (
        <>
          <p class="note">
            {results.length} {results.length === 1 ? 'passage' : 'passages'} in {milliseconds(took)}, best
            first
          </p>
          <ol>
            {results.map((passage) => (
              <PassageItem key={passage.id} passage={passage} />
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function PassageItem({ passage: { content, metadata } }: { passage: KnowledgePassage }): JSX.Element {
  const { name, heading, score, word_rank: words, vector_rank: meaning } = metadata;
  const ranks = [
    words === null ? undefined : `${ordinal(words)} by words`,
    meaning === null ? undefined : `${ordinal(meaning)} by meaning`,
  ].filter((text) => text !== undefined);
  return (
    <li>
      <header>
        <strong>{heading === '' ? name : `${name} › ${heading}`}</strong>
        <span class="passage-score">
          <meter min={0} max={1} value={score} aria-label="Score" />
          <span class="figure">{score.toFixed(2)}</span>
          <span class="note">{ranks.join(', ')}</span>
        </span>
      </header>
      <p>{content}</p>
    </li>
  );
}

const plural = new Intl.PluralRules('en', { type: 'ordinal' });
const suffixes: Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> = { one: 'st', two: 'nd', few: 'rd' };

const ordinal = (rank: number): string => `${rank}${suffixes[plural.select(rank)] ?? 'th'}`;
