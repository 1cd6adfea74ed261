import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { Back } from '../../parts/back.js';
import '../../style/pathways.css';
import '../../style/testing.css';
import { readPathway, readVersion } from '../../api/pathways.js';
import { useResource } from '../../api/resource.js';
import { type EnhancedAnalytics, readAnalytics } from '../../api/testing.js';
import { Page } from '../../frame/page.js';
import { Choice } from '../../parts/choice.js';
import { percent, whole } from '../../parts/format.js';
import { Empty, Loaded } from '../../parts/notice.js';
import { Panel, TableHead, WideTable } from '../../parts/panel.js';
import { Plot } from '../../parts/plot.js';
import type { Series } from '../../parts/plot-scale.js';
import { State, type Tone } from '../../parts/state.js';
import { When } from '../../parts/time.js';
import { drawnDocument } from '../pathways/drawn-document.js';
import { PathwayGraph } from '../pathways/pathway-graph.js';
import { dailyRates } from './charts/daily-rates.js';
import { heatStep } from './charts/heat.js';
import { CoveragePanel } from './coverage-panel.js';
import { RunState, scoreText } from './run-state.js';
import { SankeyChart } from './sankey-chart.js';

const windows = ['7', '30', '90', '365'] as const;

/** The tests of a pathway over time: where does it fail? */
export function AnalyticsPage(): JSX.Element {
  const { id = '' } = useRoute().params;
  const [days, setDays] = useState<(typeof windows)[number]>('30');
  const pathway = useResource(`pathway ${id}`, (signal) => readPathway(id, signal));
  const analytics = useResource(`analytics ${id} ${days}`, (signal) =>
    readAnalytics(id, Number(days), signal),
  );
  return (
    <Page
      title={pathway.data === undefined ? 'Analytics' : `Analytics of ${pathway.data.name}`}
      above={<Back href={`/pathways/${id}`} text={pathway.data?.name ?? 'Pathway'} />}
      beside={
        <Choice
          label="Days"
          value={days}
          options={windows.map((days) => [days, `${days} d`] as const)}
          onChange={setDays}
        />
      }
    >
      <Loaded what="analytics" from={analytics}>
        {(data) =>
          data.total_runs === 0 ? (
            <Panel title="Runs">
              <Empty title={`No runs in ${days} days`}>
                Run the <a href={`/testing?pathway_id=${id}`}>scenarios of this pathway</a>.
              </Empty>
            </Panel>
          ) : (
            <Parts analytics={data} pathwayId={id} days={Number(days)} />
          )
        }
      </Loaded>
      <CoveragePanel pathwayId={id} />
    </Page>
  );
}

const trends: Readonly<Record<EnhancedAnalytics['trend']['weekly'], readonly [tone: Tone, word: string]>> = {
  improving: ['good', 'Improving'],
  stable: ['idle', 'Stable'],
  declining: ['bad', 'Declining'],
};

function Parts({
  analytics,
  pathwayId,
  days,
}: {
  analytics: EnhancedAnalytics;
  pathwayId: string;
  days: number;
}): JSX.Element {
  const [tone, word] = trends[analytics.trend.weekly];
  const weakest = analytics.weakest_link;
  return (
    <>
      <dl class="tiles">
        <Tile
          name="Pass rate"
          value={scoreText(analytics.pass_rate)}
          note={`${whole(analytics.passed)} of ${whole(analytics.total_runs)} runs`}
        />
        <Tile name="Health" value={scoreText(analytics.health_score)} note="Pass rate, score and trend" />
        <Tile
          name="Reliability"
          value={scoreText(analytics.reliability_score)}
          note="Same result each time"
        />
        <Tile
          name="Mean score"
          value={scoreText(analytics.avg_score)}
          note={<State tone={tone}>{word}</State>}
        />
      </dl>
      {analytics.failed > 0 && <WeakestNode weakest={weakest} />}
      <TrendPanel analytics={analytics} days={days} />
      <HeatPanel analytics={analytics} pathwayId={pathwayId} />
      <Panel title="Flow" note="From scenarios over the nodes that runs visit to their outcome.">
        <SankeyChart nodes={analytics.sankey_data.nodes} links={analytics.sankey_data.links} />
      </Panel>
      <LatestRuns analytics={analytics} />
    </>
  );
}

function WeakestNode({ weakest }: { weakest: EnhancedAnalytics['weakest_link'] }): JSX.Element {
  return (
    <div class="problem mild">
      {weakest === null ? (
        <p>
          <strong>Weakest node: none stands out.</strong> Runs that fail take the same nodes as runs that
          pass.
        </p>
      ) : (
        <p>
          <strong>Weakest node: {weakest.node_name}.</strong> {scoreText(weakest.failure_rate)} of the runs
          that visit it fail ({scoreText(weakest.lower)} to {scoreText(weakest.upper)})
          {weakest.reason === 'visitors_fail_more'
            ? ', more than of the other runs.'
            : ', and most failed runs end there.'}
        </p>
      )}
    </div>
  );
}

function Tile({
  name,
  value,
  note,
}: {
  name: string;
  value: string;
  note: string | JSX.Element;
}): JSX.Element {
  return (
    <div class="panel tile">
      <dt>{name}</dt>
      <dd>
        <span class="tile-value figure">{value}</span>
        <span class="tile-note">{note}</span>
      </dd>
    </div>
  );
}

const oneDay = 86_400;
const percentOf = (value: number | null): string => percent(value, 0);

function TrendPanel({ analytics, days }: { analytics: EnhancedAnalytics; days: number }): JSX.Element {
  const rates = analytics.trend.daily_pass_rates;
  // The plot is built again when its arrays change.
  const [times, series] = useMemo(() => {
    const daily = dailyRates(rates, days, Date.now());
    return [
      daily.times,
      [
        { name: 'Pass rate', values: daily.values, colour: 'accent', kind: 'line' },
      ] as const satisfies readonly Series[],
    ];
  }, [rates, days]);
  return (
    <Panel title="Daily pass rate" aside={`${whole(rates.reduce((sum, { count }) => sum + count, 0))} runs`}>
      <Plot
        label="Pass rate of each day"
        times={times}
        series={series}
        format={percentOf}
        axis="Passed"
        bucketSeconds={oneDay}
        atLeast={100}
      />
    </Panel>
  );
}

/** The pathway's graph, coloured by how many runs that visit a node fail. */
function HeatPanel({
  analytics,
  pathwayId,
}: {
  analytics: EnhancedAnalytics;
  pathwayId: string;
}): JSX.Element {
  const cells = analytics.node_failure_heatmap;
  const version = useResource(`heat ${pathwayId}`, async (signal) => {
    const { current_draft_version: draft, current_production_version: live } = await readPathway(
      pathwayId,
      signal,
    );
    const shown = live ?? draft;
    return shown === null ? null : readVersion(pathwayId, shown.version_number, signal);
  });
  const heat = new Map(
    cells.map(
      ({ node_id, blame, failure_count, total_traversals }) =>
        [node_id, [heatStep(blame ?? 0), `${failure_count} of ${total_traversals} failed`] as const] as const,
    ),
  );
  return (
    <div class="pathway-columns">
      <Panel
        title="Failures by node"
        note="Colour: by how much runs that visit a node fail more often than runs that do not. A node that every run visits has none."
      >
        <Loaded what="pathway" from={version}>
          {(data) =>
            data === null ? (
              <Empty title="No version of the pathway" />
            ) : (
              <PathwayGraph
                document={drawnDocument(data.document)}
                label="Heat map of failures"
                heat={heat}
              />
            )
          }
        </Loaded>
      </Panel>
      <Panel title="Nodes by blame">
        {cells.length === 0 ? (
          <Empty title="No nodes visited" />
        ) : (
          <WideTable label="Nodes, the most blamed first">
            <TableHead
              columns={{ Node: '', Failed: 'number', Visited: 'number', Rate: 'number', Blame: 'number' }}
            />
            <tbody>
              {cells.map(({ node_id, node_name, failure_count, total_traversals, failure_rate, blame }) => (
                <tr key={node_id}>
                  <th scope="row" class="breakable">
                    {node_name}
                  </th>
                  <td class="number figure">{failure_count}</td>
                  <td class="number figure">{total_traversals}</td>
                  <td class="number figure">{scoreText(failure_rate)}</td>
                  <td class="number figure">{scoreText(blame)}</td>
                </tr>
              ))}
            </tbody>
          </WideTable>
        )}
      </Panel>
    </div>
  );
}

function LatestRuns({ analytics }: { analytics: EnhancedAnalytics }): JSX.Element {
  return (
    <Panel title="Latest runs">
      <WideTable label="Latest runs, newest first">
        <TableHead columns={{ Result: '', Scenario: '', Score: 'wide-only number', Started: '' }} />
        <tbody>
          {analytics.runs.slice(0, 20).map((run) => (
            <tr key={run.id}>
              <td>
                <a class="plain-link" href={`/testing/runs/${run.id}`}>
                  <RunState status={run.status} />
                </a>
                <small class="under narrow-only figure">{scoreText(run.score)}</small>
              </td>
              <td class="breakable">
                <a href={`/testing/scenarios/${run.scenario_id}`}>{run.scenario_name}</a>
              </td>
              <td class="wide-only number figure">{scoreText(run.score)}</td>
              <td>
                <When at={run.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </WideTable>
    </Panel>
  );
}
