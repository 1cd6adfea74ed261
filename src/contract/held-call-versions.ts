import { type HeldCall, heldCallSchema, heldCallVersion } from './held-call.js';

type Fields = Readonly<Record<string, unknown>>;

/** From each earlier version to the next: edges of that release still write it while a system is being replaced. */
const upgrades: ReadonlyMap<number, (document: Fields) => Fields> = new Map([
  [1, fromVersion1],
  [2, fromVersion2],
  [3, fromVersion3],
]);

/** Its first documents had no transfers under way, shared slots and media moves. */
function fromVersion1(document: Fields): Fields {
  const added = { next_media_id: null, open_transfer: null, shared_slots: [], media_moves: [] };
  return { ...added, ...document, version: 2 };
}

/** Its quality samples did not say what they came from, and it had no values of the agent. */
function fromVersion2(document: Fields): Fields {
  return { agent_metadata: {}, ...document, version: 3 };
}

/** Its transfers were never cancelled. */
function fromVersion3(document: Fields): Fields {
  return { ...document, version: 4 };
}

/** Reads a held call of this or an earlier version. Throws an `Error` that says why it cannot be continued. */
export function readHeldCall(json: string): HeldCall {
  let document = JSON.parse(json) as Fields;
  let version = Number(document.version);
  if (version > heldCallVersion)
    throw new Error(
      `Its document has version ${version}; this edge reads versions up to ${heldCallVersion}. An edge of the newer release can continue it.`,
    );
  for (; version < heldCallVersion; version++) {
    const upgrade = upgrades.get(version);
    if (upgrade === undefined) throw new Error(`Its document has version ${version}, which is not known.`);
    document = upgrade(document);
  }
  return heldCallSchema.parse(document);
}
