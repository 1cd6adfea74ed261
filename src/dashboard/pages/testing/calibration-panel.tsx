import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApiFailure } from '../../api/client.js';
import { useResource } from '../../api/resource.js';
import { judgeRun } from '../../api/runs.js';
import { type Calibration, readCalibration } from '../../api/testing.js';
import { percent } from '../../parts/format.js';
import { Empty, Loaded, Problem } from '../../parts/notice.js';
import { Panel, TableHead } from '../../parts/panel.js';
import { titleOf } from './assertion-results.js';

type Agreement = Calibration['assertions'][number]['run'];

/** `0.61 (0.32 to 0.90)` */
export const kappaText = ({ kappa, kappa_interval: interval }: Agreement): string =>
  kappa === null
    ? '–'
    : `${kappa.toFixed(2)}${interval === null ? '' : ` (${interval.lower.toFixed(2)} to ${interval.upper.toFixed(2)})`}`;

/** How far the judge agrees with people on the runs of a scenario. */
export function CalibrationPanel({ scenarioId }: { scenarioId: string }): JSX.Element {
  const calibration = useResource(`calibration ${scenarioId}`, (signal) =>
    readCalibration(scenarioId, signal),
  );
  const [problem, setProblem] = useState<ApiFailure | undefined>();
  const [judged, setJudged] = useState<number | undefined>();
  const judgeAll = async (runs: readonly string[]): Promise<void> => {
    setProblem(undefined);
    try {
      for (const [index, id] of runs.entries()) {
        setJudged(index);
        await judgeRun(id);
      }
    } catch (error) {
      setProblem(error as ApiFailure);
    }
    setJudged(undefined);
    calibration.reload();
  };
  return (
    <Panel
      title="Judge and people"
      note="Kappa is the agreement beyond chance: 1 is complete, 0 is chance. Change a question, save it, and judge the labelled runs again to see whether it agrees better."
    >
      {problem !== undefined && (
        <Problem title="Not judged">
          <p>{problem.message}</p>
        </Problem>
      )}
      <Loaded what="calibration" from={calibration}>
        {({ assertions, labelled_run_ids: runs }) =>
          assertions.length === 0 ? (
            <Empty title="No labels">Say on the page of a run whether its assertions pass.</Empty>
          ) : (
            <>
              <AgreementTable assertions={assertions} />
              <div class="buttons">
                <button type="button" disabled={judged !== undefined} onClick={() => void judgeAll(runs)}>
                  {judged === undefined
                    ? `Judge ${runs.length} labelled ${runs.length === 1 ? 'run' : 'runs'} again`
                    : `Judging ${judged + 1} of ${runs.length} …`}
                </button>
              </div>
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** Two rows for each assertion, where runs were judged again. */
export function AgreementTable({ assertions }: { assertions: Calibration['assertions'] }): JSX.Element {
  return (
    <div class="scrolled">
      <table>
        <TableHead
          columns={{
            Assertion: '',
            Compared: 'number',
            Agreement: 'number',
            Kappa: 'number',
            'Too lenient': 'number',
            'Too strict': 'number',
            Errors: 'number',
          }}
        />
        <tbody>
          {assertions.flatMap((assertion) => [
            <Row key={assertion.assertion_id} title={titleOf(assertion)} agreement={assertion.run} />,
            ...(assertion.judged_again.compared + assertion.judged_again.errors === 0
              ? []
              : [
                  <Row
                    key={`${assertion.assertion_id} again`}
                    title={`${titleOf(assertion)}, judged again`}
                    agreement={assertion.judged_again}
                  />,
                ]),
          ])}
        </tbody>
      </table>
    </div>
  );
}

function Row({ title, agreement }: { title: string; agreement: Agreement }): JSX.Element {
  const figures = [
    String(agreement.compared),
    agreement.agreement === null ? '–' : percent(agreement.agreement * 100),
    kappaText(agreement),
    String(agreement.only_judge_passed),
    String(agreement.only_person_passed),
    String(agreement.errors),
  ];
  return (
    <tr>
      <th scope="row">{title}</th>
      {figures.map((figure, index) => (
        <td class="number figure" key={index}>
          {figure}
        </td>
      ))}
    </tr>
  );
}
