import type { JSX } from 'preact';
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import '../../style/pathways.css';
import { type DrawnDocument, type DrawnNode, type NodeType, shortened, stepsOf } from './drawn-document.js';
import {
  layoutGraph,
  nodeHeight,
  nodeWidth,
  type PlacedEdge,
  type PlacedNode,
  type Point,
  rounded,
} from './graph-layout.js';
import { placeMoved } from './moved-nodes.js';
import { type Grip, stepFor, useDrag } from './node-moves.js';

interface GraphProps {
  readonly document: DrawnDocument;
  readonly label: string;
  readonly selected?: string | undefined;
  readonly onSelect?: (id: string) => void;
  /** Makes nodes movable, by dragging and by the arrow keys. @param position of the upper left corner */
  readonly onMove?: (id: string, position: Point) => void;
  /** What the API refuses, by node. */
  readonly faults?: ReadonlyMap<string, readonly string[]>;
  /** Nodes in the order in which a conversation visited them. */
  readonly visited?: readonly string[] | undefined;
  /** Where the conversation is now. */
  readonly current?: string | undefined;
  /** Step of the colour scale, and the text that stands for it, by node. */
  readonly heat?: ReadonlyMap<string, readonly [step: number, text: string]>;
}

export const typeWords: Readonly<Record<NodeType, string>> = {
  default: 'Speaks',
  webhook: 'Webhook',
  transfer: 'Transfer',
  end: 'End',
};

const longestName = 22;
/** Of the natural size. */
const smallest = 0.75;

/** A pathway as a graph from top to bottom. Nodes are buttons when they can be selected. */
export function PathwayGraph(props: GraphProps): JSX.Element | null {
  const { document, label, onSelect, onMove, visited } = props;
  const { nodes, edges, start } = document;
  const shape = nodes.map(({ id }) => id).join(' ');
  // Typing in a prompt changes the document, not its shape.
  const key = `${shape}|${edges.map(({ id, from, to, labelWidth }) => `${id} ${from} ${to} ${labelWidth}`).join()}|${start}`;
  const automatic = useMemo(
    () =>
      layoutGraph(
        nodes.map(({ id }) => id),
        edges,
        start,
      ),
    [key],
  );
  const arrow = useId();
  const help = useId();
  const frame = useRef<HTMLElement>(null);
  const svg = useRef<SVGSVGElement>(null);
  const [said, say] = useState('');
  const move = (id: string, position: Point): void => {
    const name = nodes.find((node) => node.id === id)?.name ?? id;
    say(`${name}: ${position.x} right, ${position.y} down`);
    onMove?.(id, position);
  };
  const drag = useDrag(svg, move);
  const positions = new Map(
    nodes.flatMap(({ id, position }) => (position === undefined ? [] : [[id, position] as const])),
  );
  if (drag.moved !== undefined) positions.set(drag.moved.id, drag.moved.position);
  const layout = placeMoved(automatic, edges, positions);
  // While a node is dragged the picture keeps its scale, so that the node stays under the pointer.
  const view = useRef(layout);
  if (drag.moved === undefined) view.current = layout;
  const { left, top, width, height } = view.current;
  const first = automatic.nodes.find(({ id }) => id === start);
  // Where the graph is wider than the page, the start is in view.
  useEffect(() => {
    const element = frame.current;
    if (element !== null && first !== undefined)
      element.scrollLeft = first.x + nodeWidth / 2 - element.clientWidth / 2;
  }, [first]);
  if (nodes.length === 0) return null;
  const names = new Map(nodes.map((node) => [node.id, node]));
  const texts = new Map(edges.map((edge) => [edge.id, edge]));
  const steps = stepsOf(visited ?? []);
  const placed = layout.edges.map((edge) => {
    const drawn = texts.get(edge.id)!;
    return { edge, text: drawn.label, isTaken: steps.has(`${drawn.from}>${drawn.to}`) };
  });
  // Taken edges last, so that they stand above the others.
  placed.sort((left, right) => Number(left.isTaken) - Number(right.isTaken));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: What scrolls must be reachable by keyboard.
    <section ref={frame} class="graph" aria-label={label} tabIndex={0}>
      <svg
        ref={svg}
        width={width}
        height={height}
        // Smaller, texts cannot be read: then the graph scrolls.
        style={{ minWidth: `${Math.round(width * smallest)}px` }}
        viewBox={`${rounded(left)} ${rounded(top)} ${width} ${height}`}
        role={onSelect === undefined ? 'img' : 'group'}
        aria-label={onSelect === undefined ? `${label}: ${nodes.length} nodes` : 'Nodes'}
        class={visited === undefined ? undefined : 'walked'}
      >
        <defs>
          {['', 'taken'].map((kind) => (
            <marker
              key={kind}
              id={`${arrow}${kind}`}
              class={kind}
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerWidth="7"
              markerHeight="7"
              orient="auto-start-reverse"
            >
              <path d="M0 0.5 8 4 0 7.500Z" />
            </marker>
          ))}
        </defs>
        {placed.map(({ edge, isTaken }) => (
          <path
            key={edge.id}
            class={`edge ${isTaken ? 'taken' : ''} ${edge.isBack ? 'back' : ''}`}
            d={edge.path}
            marker-end={`url(#${arrow}${isTaken ? 'taken' : ''})`}
          />
        ))}
        {placed.map(({ edge, text, isTaken }) => (
          <EdgeLabel key={edge.id} edge={edge} text={text} isTaken={isTaken} />
        ))}
        {layout.nodes.map((place) => (
          <NodeBox
            key={place.id}
            place={place}
            node={names.get(place.id)!}
            {...props}
            {...(onMove === undefined ? {} : { onGrip: drag.grip, onMove: move, help })}
          />
        ))}
      </svg>
      {onMove !== undefined && (
        <>
          <p id={help} class="unseen">
            Arrow keys move the selected node.
          </p>
          <p class="unseen" role="status">
            {said}
          </p>
        </>
      )}
    </section>
  );
}

function EdgeLabel({
  edge: { label },
  text,
  isTaken,
}: {
  edge: PlacedEdge;
  text: string;
  isTaken: boolean;
}): JSX.Element | null {
  if (text === '') return null;
  return (
    <text
      x={label.x}
      y={label.y}
      class={`edge-label ${isTaken ? 'taken' : ''}`}
      text-anchor="middle"
      dy="0.35em"
    >
      {text}
    </text>
  );
}

function NodeBox({
  place: { x, y, isReachable },
  node,
  ...props
}: GraphProps & {
  place: PlacedNode;
  node: DrawnNode;
  /** Called when a pointer takes hold of the node. */
  onGrip?: (grip: Grip) => void;
  help?: string;
}): JSX.Element {
  const { document, selected, onSelect, onMove, onGrip, help, faults, visited, current, heat } = props;
  const problems = faults?.get(node.id) ?? [];
  const visits = (visited ?? []).flatMap((id, index) => (id === node.id ? [index + 1] : []));
  const warmth = heat?.get(node.id);
  const words = [
    document.start === node.id ? `Start · ${typeWords[node.type]}` : typeWords[node.type],
    ...(isReachable ? [] : ['not reachable']),
  ].join(' · ');
  const full = [
    node.name,
    words,
    ...(visits.length > 0 ? [`step ${visits.join(', ')}`] : []),
    ...(warmth === undefined ? [] : [warmth[1]]),
    ...problems,
  ].join(', ');
  const classes = [
    'node-box',
    node.type,
    selected === node.id && 'selected',
    problems.length > 0 && 'faulty',
    visits.length > 0 && 'visited',
    current === node.id && 'current',
    !isReachable && 'unreachable',
    warmth !== undefined && `heat-${warmth[0]}`,
    onMove !== undefined && 'movable',
  ].filter((label) => label !== false);
  const content = (
    <>
      {onSelect === undefined ? <title>{full}</title> : <desc>{full}</desc>}
      <rect
        class="node-shape"
        width={nodeWidth}
        height={nodeHeight}
        rx={node.type === 'end' || node.type === 'transfer' ? 23 : 8}
      />
      <text x={nodeWidth / 2} y={19} text-anchor="middle" class="node-name">
        {shortened(node.name, longestName)}
      </text>
      <text x={nodeWidth / 2} y={35} text-anchor="middle" class="node-words">
        {warmth === undefined ? words : warmth[1]}
      </text>
      {visits.length > 0 && (
        <Badge text={visits.length > 2 ? `${visits[0]} ×${visits.length}` : visits.join(' ')} />
      )}
      {problems.length > 0 && <Badge text="!" kind="fault" />}
    </>
  );
  const at = `translate(${Math.round(x)} ${Math.round(y)})`;
  if (onSelect === undefined) {
    return (
      <g class={classes.join(' ')} transform={at}>
        {content}
      </g>
    );
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: SVG has no button element.
    <g
      class={classes.join(' ')}
      transform={at}
      role="button"
      tabindex={0}
      aria-pressed={selected === node.id}
      data-node={node.id}
      aria-describedby={help}
      onClick={() => onSelect(node.id)}
      onPointerDown={(event) => {
        // Fingers scroll the graph; they drag the selected node only.
        if (onGrip === undefined || (event.pointerType === 'touch' && selected !== node.id)) return;
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.focus({ preventScroll: true });
        onGrip({ id: node.id, pointer: { x: event.clientX, y: event.clientY }, from: { x, y } });
      }}
      onKeyDown={(event) => {
        const next = selected === node.id ? stepFor(event, { x, y }) : undefined;
        if (onMove !== undefined && next !== undefined) {
          event.preventDefault();
          onMove(node.id, next);
        } else if (event.key === 'Enter' || event.key === ' ') {
          event.preventDefault();
          onSelect(node.id);
        }
      }}
    >
      {content}
    </g>
  );
}

/** A number or mark at the upper left corner of a node. */
function Badge({ text, kind = 'visit' }: { text: string; kind?: 'visit' | 'fault' }): JSX.Element {
  const width = Math.max(18, text.length * 7 + 10);
  const x = kind === 'visit' ? -7 : nodeWidth - width + 7;
  return (
    <g class={`node-badge ${kind}`} transform={`translate(${x} -8)`}>
      <rect class="badge-shape" width={width} height={18} rx={9} />
      <text x={width / 2} y={13} text-anchor="middle">
        {text}
      </text>
    </g>
  );
}
