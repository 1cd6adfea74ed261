import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { deleteKnowledge, type KnowledgeBase, readKnowledge } from '../../api/knowledge.js';
import { type Resource, useResource } from '../../api/resource.js';
import { Page } from '../../frame/page.js';
import { octets, whole } from '../../parts/format.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { NamedState } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { AddText } from './add-text.js';
import { RenameBase } from './rename-base.js';
import { SearchPanel } from './search-panel.js';

const everyMilliseconds = 15_000;
const whileLearningMilliseconds = 1_000;

type List = Awaited<ReturnType<typeof readKnowledge>>;

/** Texts that agents search during calls: add, follow, try, delete. */
export function KnowledgePage(): JSX.Element {
  const [isLearning, setLearning] = useState(false);
  const [isAdding, setAdding] = useState(false);
  const list = useResource('knowledge', readKnowledge, {
    everyMilliseconds: isLearning ? whileLearningMilliseconds : everyMilliseconds,
  });
  const bases = list.data?.kbs ?? [];
  const hasUnfinished = bases.some(({ status }) => status === 'PROCESSING');
  if (hasUnfinished !== isLearning) setLearning(hasUnfinished);
  return (
    <Page
      title="Knowledge"
      beside={
        !isAdding && (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add text
          </button>
        )
      }
    >
      {isAdding && (
        <AddText
          onEnd={() => {
            setAdding(false);
            list.reload();
          }}
        />
      )}
      {bases.some(({ status }) => status === 'COMPLETED') && <SearchPanel bases={bases} />}
      <BasesPanel list={list} />
    </Page>
  );
}

function BasesPanel({ list }: { list: Resource<List> }): JSX.Element {
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const remove = (id: string): void => {
    setProblem(undefined);
    deleteKnowledge(id).then(list.reload, setProblem);
  };
  return (
    <Panel
      title="Knowledge bases"
      note="Select them in a persona, or name their ids in a call or web agent; the agent searches them during calls."
    >
      {problem !== undefined && (
        <Problem title="Not deleted">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Loaded what="knowledge bases" from={list}>
        {({ kbs, total }) =>
          kbs.length === 0 ? (
            <Empty title="No knowledge bases">
              Add a text with the answers that callers ask for, such as opening hours or return rules.
            </Empty>
          ) : (
            <>
              <WideTable label="Knowledge bases, newest first">
                <TableHead
                  columns={{
                    Name: '',
                    State: '',
                    Language: '',
                    Passages: 'number',
                    Size: 'number',
                    Added: '',
                    Actions: '',
                  }}
                />
                <tbody>
                  {kbs.map((base) => (
                    <BaseRow
                      key={base.id}
                      base={base}
                      onDelete={() => remove(base.id)}
                      onRenamed={list.reload}
                    />
                  ))}
                </tbody>
              </WideTable>
              {total > kbs.length && (
                <p class="note">
                  The newest {kbs.length} of {whole(total)}; the API lists all.
                </p>
              )}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

interface RowProps {
  readonly base: KnowledgeBase;
  readonly onDelete: () => void;
  readonly onRenamed: () => void;
}

function BaseRow({ base, onDelete, onRenamed }: RowProps): JSX.Element {
  const { id, name, description, status, language } = base;
  const [isSure, setSure] = useState(false);
  return (
    <tr>
      <td class="knowledge-name">
        <strong>{name}</strong>
        {description !== undefined && <span class="note">{description}</span>}
        <code>{id}</code>
        <RenameBase base={base} onRenamed={onRenamed} />
      </td>
      <td>
        <NamedState name={status.toLowerCase()} />
        {status === 'PROCESSING' && (
          <progress aria-label={`Progress of ${name}`} value={base.progress ?? 0}>
            {Math.round((base.progress ?? 0) * 100)} %
          </progress>
        )}
        {base.error_message !== undefined && <p class="field-problem">{base.error_message}</p>}
      </td>
      <td>
        {language === undefined ? '–' : language === 'und' ? 'Not detected' : languageNames.of(language)}
      </td>
      <td class="number figure">{whole(base.passages)}</td>
      <td class="number figure">{octets(base.text_size)}</td>
      <td>
        <When at={base.created_at} />
      </td>
      <td>
        {isSure ? (
          <span class="buttons">
            <button type="button" class="small" onClick={onDelete}>
              Delete for good
            </button>
            <button type="button" class="small bare" onClick={() => setSure(false)}>
              Keep
            </button>
          </span>
        ) : (
          <button type="button" class="small" aria-label={`Delete ${name}`} onClick={() => setSure(true)}>
            Delete
          </button>
        )}
      </td>
    </tr>
  );
}
