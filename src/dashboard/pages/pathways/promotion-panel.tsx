import type { ComponentChildren, JSX } from 'preact';
import { useAction } from '../../api/action.js';
import type { ApiFailure } from '../../api/client.js';
import { type Pathway, type PathwayVersion, promoteVersion } from '../../api/pathways.js';
import { Problem } from '../../parts/notice.js';
import { Panel } from '../../parts/panel.js';
import { State } from '../../parts/state.js';
import { Ago } from '../../parts/time.js';

interface PromotionProps {
  readonly pathway: Pathway;
  readonly version: PathwayVersion;
  readonly onChanged: () => void;
}

/** Makes a version live, and shows the result of the scenarios that it waits for. */
export function PromotionPanel({ pathway, version, onChanged }: PromotionProps): JSX.Element | null {
  const { isBusy, problem, follow } = useAction();
  const { promotion } = pathway;
  const isOfThis = promotion?.version_number === version.version_number;
  if (version.version_type === 'production' && !isOfThis) return null;
  const promote = (): void => follow(promoteVersion(pathway.id, version.version_number), onChanged);
  const isRunning = promotion?.status === 'RUNNING';
  return (
    <Panel
      title="Promotion"
      note="Runs the scenarios that are required. The version becomes live only when all of them pass; active calls keep their version."
    >
      {problem !== undefined && <NotPromoted reasons={reasonsOf(problem)} />}
      {promotion !== null && isOfThis && <LatestPromotion promotion={promotion} />}
      {version.version_type !== 'production' && (
        <div class="buttons">
          <button type="button" class="primary" disabled={isBusy || isRunning} onClick={promote}>
            Promote version {version.version_number}
          </button>
          <a class="button" href={`/testing?pathway_id=${pathway.id}`}>
            Scenarios
          </a>
        </div>
      )}
    </Panel>
  );
}

/** The result of the scenarios that a promotion waits for. */
export function LatestPromotion({
  promotion,
}: {
  promotion: NonNullable<Pathway['promotion']>;
}): JSX.Element {
  const { status, reasons, batch_id: batchId, is_stand_in: isStandIn, completed_at: end } = promotion;
  return (
    <>
      {status === 'RUNNING' && (
        <p role="status">
          <State tone="busy">Running the required scenarios</State> <BatchLink id={batchId} />
        </p>
      )}
      {status === 'PROMOTED' && (
        <p role="status">
          <State tone="good">All required scenarios passed</State> {end !== null && <Ago at={end} />}{' '}
          <BatchLink id={batchId} />
        </p>
      )}
      {status === 'REFUSED' && (
        <NotPromoted reasons={reasons}>
          <BatchLink id={batchId} />
        </NotPromoted>
      )}
      {isStandIn && (
        <p class="note">
          No language model is configured: the stand-in answered by rules, so these tests say nothing about
          the agent.
        </p>
      )}
    </>
  );
}

/** The API joins the reasons of all gates with semicolons. */
export const reasonsOf = ({ code, message }: ApiFailure): readonly string[] =>
  code === 'PROMOTION_REFUSED' ? message.split('; ') : [message];

const BatchLink = ({ id }: { id: string }): JSX.Element => <a href={`/testing/batches/${id}`}>Results</a>;

export function NotPromoted({
  reasons,
  children,
}: {
  reasons: readonly string[];
  children?: ComponentChildren;
}): JSX.Element {
  return (
    <Problem title="Not promoted">
      <ul class="fault-list">
        {reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {children}
    </Problem>
  );
}
