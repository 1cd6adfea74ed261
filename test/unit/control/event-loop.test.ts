import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { quotedConversation } from '../../../src/control/agent-testing/assertions/quoted-conversation.js';
import { callLines } from '../../../src/control/calls/history/call-lines.js';
import { drawLadder, textOf } from '../../../src/control/calls/history/ladder.js';
import { pcapOf } from '../../../src/control/calls/history/pcap.js';
import { compileValidator, refuseUnstorableText } from '../../../src/control/http/validation.js';
import { searchText } from '../../../src/control/knowledge/language.js';
import { pathwayDocumentSchema } from '../../../src/control/pathways/document.js';
import { checkDocument } from '../../../src/control/pathways/document-check.js';
import { compareDocuments } from '../../../src/control/pathways/document-diff.js';
import { sampleRecord } from '../../contract/control/history/sample-record.js';
import { apiRoutes } from '../../support/api-document.js';
import { largestValue } from './largest-value.js';

const longest = 50;
/** Nanoseconds of CPU of this thread: load of the machine and collection of garbage in other threads do not count. */
const threadTime = (): number => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]);

/** Milliseconds of CPU; where that is too much, the least of some runs: later ones run compiled code, as a process does that has been up for a while. */
async function timeOf(work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 6 && least >= longest; run++) {
    const begun = threadTime();
    await work();
    least = Math.min(least, (threadTime() - begun) / 1_000_000);
  }
  return least;
}

const text = (length: number): string => 'Good morning. '.repeat(Math.ceil(length / 14)).slice(0, length);
const evidence = {
  chat: Array.from({ length: 100 }, () => ({ role: 'user' as const, content: text(20_000) })),
  variables: {},
  nodesVisited: [],
  nodeNames: {},
  webhooks: [],
  details: [],
  ending: null,
  tone: null,
  voice: null,
  isCalled: false,
};

/** 500 nodes in a circle with 2,000 edges and half a megabyte of texts with variables. */
const pathway = pathwayDocumentSchema.parse({
  start_node_id: 'n0',
  nodes: Array.from({ length: 500 }, (_, index) => ({
    id: `n${index}`,
    name: `Node ${index}`,
    type: 'default',
    prompt: `Ask {{v${index}}} and {{v${(index * 7) % 500}}}. ${text(900)}`,
    extract: [{ name: `v${(index + 1) % 500}`, description: 'A value.' }],
  })),
  edges: Array.from({ length: 2_000 }, (_, index) => ({
    id: `e${index}`,
    source: `n${index % 500}`,
    target: `n${(index * 13 + 1) % 500}`,
    label: `Edge ${index}`,
  })),
});
const otherPathway = { ...pathway, nodes: pathway.nodes.map((node) => ({ ...node, name: `${node.name}!` })) };

const sample = sampleRecord('call');
/** Edges end a trace at 200 messages of a call. */
const record = {
  ...sample,
  trace: Array.from({ length: 25 }, () => sample.trace).flat(),
};
const row = {
  call_id: 'c',
  organization_id: 'o',
  direction: 'inbound',
  number: '14155550100',
  end_reason: 'x',
  from_uri: `sip:${text(300)}@x`,
  to_uri: `sip:${text(300)}@x`,
  party_name: text(200),
  outcome: 'completed',
  started_at: new Date(0),
  answered_at: new Date(0),
  ended_at: new Date(0),
  duration_milliseconds: 1,
};

describe.skipIf(process.platform !== 'linux')('work on the event loop takes less than 50 ms of CPU:', () => {
  it.each<[string, () => unknown]>([
    ['the conversation that a model judges', () => JSON.stringify(quotedConversation(evidence))],
    ['the question to a knowledge base', () => searchText('中'.repeat(2_000))],
    ['the check of a pathway with 500 nodes', () => checkDocument(pathway)],
    ['the comparison of two pathways with 500 nodes', () => compareDocuments(pathway, otherPathway)],
    ['the ladder and the text of a call with 200 messages', () => drawLadder(record) + textOf(record)],
    ['the capture file of a call with 200 messages', () => pcapOf(record.trace)],
    ['a page of the export of calls', () => onePage()],
  ])('%s', async (_what, work) => {
    expect(await timeOf(work)).toBeLessThan(longest);
  });

  describe('the largest body of', () => {
    it('each route, read and checked', async () => {
      const slow: string[] = [];
      const checked: string[] = [];
      for (const { method, url, schema, bodyLimit = 1_048_576 } of await apiRoutes()) {
        const body = schema?.body as z.ZodType | undefined;
        if (body === undefined || typeof body.safeParse !== 'function') continue;
        const written = JSON.stringify(largestValue(body, bodyLimit - 1_000)).slice(0, bodyLimit);
        const validate = compileValidator({ schema: body, httpPart: 'body' });
        const spent = await timeOf(async () => {
          const value: unknown = JSON.parse(written);
          await refuseUnstorableText({ body: value } as never);
          validate(value);
        });
        checked.push(url);
        if (spent >= longest)
          slow.push(`${String(method)} ${url}: ${spent.toFixed(0)} ms for ${written.length} octets`);
      }
      expect(slow).toEqual([]);
      expect(checked.length).toBeGreaterThan(60);
    });
  });
});

describe('slow libraries', () => {
  it('are imported by worker threads alone', () => {
    const folder = new URL('../../../src/control/', import.meta.url);
    const importers = (of: RegExp): string[] =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
        (name) => name.endsWith('.ts') && of.test(readFileSync(new URL(name, folder), 'utf8')),
      );
    expect(importers(/from '@cantoo\/pdf-lib'/)).toEqual(['porting/signing/letter-pdf.ts']);
    const ofLetters = importers(/^import (?!type).*from '\.\/letter-pdf\.js'/m);
    expect(ofLetters).toEqual(['porting/signing/letter-worker.ts']);
  });
});

async function onePage(): Promise<void> {
  const rows = Array.from({ length: 500 }, () => row as never);
  for await (const _ of callLines(async (cursor) => (cursor === undefined ? rows : []))) {
    // Only the work counts.
  }
}
