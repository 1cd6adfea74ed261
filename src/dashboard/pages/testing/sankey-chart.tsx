import type { JSX } from 'preact';
import { AsTable, TableHead } from '../../parts/panel.js';
import { shortened } from '../pathways/drawn-document.js';
import { boxWidth, layoutSankey, type SankeyLink, type SankeyNode } from './charts/sankey-layout.js';

const longestName = 20;

/** How runs flow from scenarios over nodes to their outcome. */
export function SankeyChart({
  nodes,
  links,
}: {
  nodes: readonly SankeyNode[];
  links: readonly SankeyLink[];
}): JSX.Element {
  const { width, height, boxes, bands } = layoutSankey(nodes, links);
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  return (
    <figure class="test-chart">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard. */}
      <section class="test-chart scrolled" aria-label="Flow of the runs" tabIndex={0}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          width={width}
          height={height}
          role="img"
          aria-label="Flow of the runs from scenarios over nodes to outcomes"
        >
          {bands.map(({ source, target, outcome, value, path }) => (
            <path key={`${source} ${target} ${outcome}`} class={`band ${outcome}`} d={path}>
              <title>
                {nameOf(source)} → {nameOf(target)}: {value}{' '}
                {outcome === 'pass' ? 'passed' : outcome === 'fail' ? 'failed' : 'other'}
              </title>
            </path>
          ))}
          {boxes.map(({ node, x, y, height: boxHeight, value, isFirst, isLast }) => (
            <g key={node.id}>
              <rect class="sankey-box" x={x} y={y} width={boxWidth} height={boxHeight} rx="2">
                <title>
                  {node.name}: {value}
                </title>
              </rect>
              <text
                x={isFirst ? x - 6 : isLast ? x + boxWidth + 6 : x + boxWidth / 2}
                y={isFirst || isLast ? y + boxHeight / 2 : y - 5}
                dy={isFirst || isLast ? '0.35em' : 0}
                text-anchor={isFirst ? 'end' : isLast ? 'start' : 'middle'}
              >
                {shortened(node.name, longestName)} ({value})
              </text>
            </g>
          ))}
        </svg>
      </section>
      <figcaption class="note">
        <span class="legend pass" /> Runs that passed <span class="legend fail" /> Runs that failed
      </figcaption>
      <AsTable label="Flows">
        <TableHead columns={{ From: '', To: '', Runs: 'number', Passed: 'number', Failed: 'number' }} />
        <tbody>
          {links.map(({ source, target, value, pass_count, fail_count }) => (
            <tr key={`${source} ${target}`}>
              <th scope="row">{nameOf(source)}</th>
              <td>{nameOf(target)}</td>
              <td class="number figure">{value}</td>
              <td class="number figure">{pass_count}</td>
              <td class="number figure">{fail_count}</td>
            </tr>
          ))}
        </tbody>
      </AsTable>
    </figure>
  );
}
