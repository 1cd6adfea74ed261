import type { JSX } from 'preact';
import { useAction } from '../../api/action.js';
import { useResource } from '../../api/resource.js';
import { judgeRun, type Review, type Run, readLabels, setLabels } from '../../api/runs.js';
import { Loaded, Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { resultStates, titleOf } from './assertion-results.js';
import { StandInNotice } from './stand-in-notice.js';

/** What people say of the verdicts, and judging the conversation again. */
export function ReviewPanel({ run }: { run: Run }): JSX.Element {
  const review = useResource(`labels ${run.id}`, (signal) => readLabels(run.id, signal));
  const judging = useAction();
  const labelling = useAction();
  const problem = judging.problem ?? labelling.problem;
  return (
    <Panel
      title="Your verdict"
      note="Say whether each assertion passes in your opinion. The scenario compares the judge with it; the result of the run stays."
    >
      {problem !== undefined && (
        <Problem title="Not done">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Loaded what="labels" from={review}>
        {({ labels, judgement }) => (
          <>
            <Labels
              run={run}
              labels={labels}
              judgement={judgement}
              onLabel={(assertionId, passed) =>
                labelling.follow(setLabels(run.id, [{ assertion_id: assertionId, passed }]), review.reload)
              }
            />
            {judgement !== null && (
              <>
                {judgement.is_stand_in && !run.models.is_stand_in && <StandInNotice />}
                <p class="prose">
                  Judged again <When at={judgement.judged_at} />
                  {judgement.judge_model !== null && ` by ${judgement.judge_model}`}: {judgement.reasoning}
                </p>
              </>
            )}
          </>
        )}
      </Loaded>
      <div class="buttons">
        <button
          type="button"
          disabled={judging.isBusy || run.chat_history.length === 0}
          onClick={() => judging.follow(judgeRun(run.id), review.reload)}
        >
          {judging.isBusy ? 'Judging …' : 'Judge again'}
        </button>
        <small>By the present assertions of the scenario, without a new conversation</small>
      </div>
    </Panel>
  );
}

/** One row for each assertion: its verdicts, and the label. */
export function Labels({
  run,
  labels,
  judgement,
  onLabel,
}: {
  run: Pick<Run, 'assertion_results'>;
  labels: Review['labels'];
  judgement: Review['judgement'];
  onLabel: (assertionId: string, passed: boolean | null) => void;
}): JSX.Element {
  return (
    <ol class="results">
      {run.assertion_results.map((result) => {
        const { assertion_id: id, status } = result;
        const label = labels.find(({ assertion_id: labelled }) => labelled === id);
        const again = judgement?.assertion_results.find(({ assertion_id: judged }) => judged === id);
        const [tone, word] = resultStates[status];
        return (
          <li class="result" key={id}>
            <p class="result-head">
              <strong>{titleOf(result)}</strong>
              <State tone={tone}>{word}</State>
              {again !== undefined && (
                <State tone={resultStates[again.status][0]}>Again: {resultStates[again.status][1]}</State>
              )}
            </p>
            <fieldset class="buttons">
              <legend class="unseen">Your verdict on {titleOf(result)}</legend>
              {([true, false] as const).map((passed) => {
                const isChosen = label?.passed === passed;
                return (
                  <button
                    type="button"
                    class="small"
                    aria-pressed={isChosen}
                    key={String(passed)}
                    onClick={() => onLabel(id, isChosen ? null : passed)}
                  >
                    {passed ? 'Passes' : 'Fails'}
                  </button>
                );
              })}
              {label !== undefined && <small>{label.labelled_by}</small>}
            </fieldset>
          </li>
        );
      })}
    </ol>
  );
}
